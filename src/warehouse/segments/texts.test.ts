import { describe, expect, it } from 'vitest'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { countingRows } from '../../../test/worker/column-tables'
import type { AskedQuery } from '../contract'
import { queryCatalogue } from '../query-catalogue'
import { findTableSet } from '../tables'
import { fillColumns } from './fill-columns'
import { KeptWords, storedColumns } from './stored-columns'
import { TextPart } from '../columns/texts/text-chunk'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'

type TestWarehouse = ReturnType<typeof warehouse>
const columns = [column(0, 'text'), column(1, 'integer')]
/** So long that a few hundred different ones are more than a dictionary holds. */
const LETTERS = 30_000
const note = (n: number): string => `note ${String(n).padStart(3, '0')} ${'å'.repeat(n % 2)}${'x'.repeat(LETTERS)}`
const notes = (from: number, to: number): Cell[][] =>
  Array.from({ length: to - from }, (_, i): Cell[] => [(from + i) % 9 === 8 ? null : note(from + i), from + i])

/** The texts of a column as its parts have them; null while they are not kept as such. */
const textsOf = (w: TestWarehouse, datasetId: string): Promise<(string | null)[] | null> =>
  w.inside((object) => {
    const dataset = queryCatalogue(object.context, w.scope).find(datasetId)
    const table = dataset && storedColumns(object.context.sql, dataset, new KeptWords())
    if (!table?.holdsTexts('c0')) return null
    return table.chunks.flatMap((rows, chunk) =>
      Array.from({ length: rows }, (_, row) => new TextPart(table.readTexts('c0', { chunk, row })).text(row)),
    )
  })
const fill = (w: TestWarehouse, datasetId: string): Promise<void> =>
  w.inside(async (object) => {
    const dataset = queryCatalogue(object.context, w.scope).find(datasetId)
    const set = dataset && findTableSet(object.context, dataset.tableSet)
    if (set) await fillColumns(object.context, set)
  })
const calendar: AskedQuery['calendar'] = {
  ...{ timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' },
}
/** An answer, and how many statements over rows it took. */
async function asked(w: TestWarehouse, plan: Partial<QueryPlan>): Promise<{ rows: unknown[][]; ofRows: number }> {
  const counted = await w.inside((object) => {
    const counting = countingRows(object.context.sql)
    Object.assign(object.context, { sql: counting.sql })
    return counting
  })
  const before = counted.asked()
  const whole: QueryPlan = { v: 2, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...plan }
  const { rows } = unwrap(await w.stub().query(w.scope, { plan: whole, calendar }))
  return { rows, ofRows: counted.asked() - before }
}

describe('texts that are too many for a dictionary', () => {
  it('are kept as they are, through loads that add, and answer as rows do', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 170), batchRows: 30 })
    const inRows = async () => (await w.rows(datasetId)).map(([text]) => text ?? null)
    expect(await textsOf(w, datasetId)).toEqual(await inRows())
    await w.load({ datasetId, columns, mode: 'append', rows: notes(170, 190) })
    await fill(w, datasetId)
    expect(await textsOf(w, datasetId)).toEqual(await inRows())
    const field = { dataset: datasetId, column: 'c0' as const }
    const count = (agg: 'count' | 'countDistinct') => ({ kind: 'column' as const, agg, field })
    const filter = { field, any: [{ op: 'contains' as const, value: '07' }] }
    const figures = await asked(w, { measures: [count('count'), count('countDistinct')], filters: [filter] })
    // 007, and 070 to 079 but 071, which is empty as 107 is.
    expect(figures).toEqual({ rows: [[10, 10]], ofRows: 0 })
    const shown = { dataset: datasetId, column: 'c1' as const }
    const sort = [{ by: { column: 0 }, dir: 'desc' as const }]
    const page = { kind: 'rows' as const, dataset: datasetId, columns: [field, shown], sort, limit: 2, offset: 1 }
    expect(await asked(w, page)).toEqual({
      ...{ rows: [187, 186].map((n) => [note(n), n]), ofRows: 0 },
    })
  })

  it('take the place of a dictionary that rows added to it make too large', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 20) })
    expect(await textsOf(w, datasetId)).toBeNull()
    await w.load({ datasetId, columns, mode: 'append', rows: notes(20, 170), batchRows: 30 })
    await fill(w, datasetId)
    expect(await textsOf(w, datasetId)).toEqual((await w.rows(datasetId)).map(([text]) => text ?? null))
  })

  it('are made again when their bytes are damaged', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 170), batchRows: 30 })
    await w.inside((object) =>
      object.context.sql.exec('UPDATE column_texts SET data = zeroblob(length(data)) WHERE first = 0'),
    )
    const plan = { kind: 'rows' as const, dataset: datasetId, columns: [{ dataset: datasetId, column: 'c0' as const }] }
    expect((await asked(w, { ...plan, limit: 1 })).rows).toEqual([[note(0)]])
    await fill(w, datasetId)
    expect(await textsOf(w, datasetId)).toEqual((await w.rows(datasetId)).map(([text]) => text ?? null))
  })
})
