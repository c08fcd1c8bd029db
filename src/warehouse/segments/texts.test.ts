import { describe, expect, it } from 'vitest'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import type { AskedQuery } from '../contract'
import { queryCatalogue } from '../query-catalogue'
import { storedColumns } from './stored-columns'
import { clearResultCache } from '../query/result-cache'
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
    if (!dataset?.manifest) return null
    const table = storedColumns(object.context.sql, { ...dataset, manifest: dataset.manifest })
    if (!table.holdsTexts('c0')) return null
    return table.chunks.flatMap((rows, chunk) =>
      Array.from({ length: rows }, (_, row) => new TextPart(table.readTexts('c0', { chunk, row })).text(row)),
    )
  })
const calendar: AskedQuery['calendar'] = {
  ...{ timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' },
}
async function asked(w: TestWarehouse, plan: Partial<QueryPlan>): Promise<unknown[][]> {
  const whole: QueryPlan = { v: 2, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...plan }
  return unwrap(await w.stub().query(w.scope, { plan: whole, calendar })).rows
}

describe('texts that are too many for a dictionary', () => {
  it('are kept as they are, through loads that add, and are counted, searched and shown', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 170), batchRows: 30 })
    const inRows = async () => (await w.rows(datasetId)).map(([text]) => text ?? null)
    expect(await textsOf(w, datasetId)).toEqual(await inRows())
    await w.load({ datasetId, columns, mode: 'append', rows: notes(170, 190) })
    expect(await textsOf(w, datasetId)).toEqual(await inRows())
    const field = { dataset: datasetId, column: 'c0' as const }
    const count = (agg: 'count' | 'countDistinct') => ({ kind: 'column' as const, agg, field })
    const filter = { field, any: [{ op: 'contains' as const, value: '07' }] }
    const figures = await asked(w, { measures: [count('count'), count('countDistinct')], filters: [filter] })
    // 007, and 070 to 079 but 071, which is empty as 107 is.
    expect(figures).toEqual([[10, 10]])
    const shown = { dataset: datasetId, column: 'c1' as const }
    const sort = [{ by: { column: 0 }, dir: 'desc' as const }]
    const page = { kind: 'rows' as const, dataset: datasetId, columns: [field, shown], sort, limit: 2, offset: 1 }
    expect(await asked(w, page)).toEqual([187, 186].map((n) => [note(n), n]))
  })

  it('take the place of a dictionary that rows added to it make too large', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 20) })
    expect(await textsOf(w, datasetId)).toBeNull()
    await w.load({ datasetId, columns, mode: 'append', rows: notes(20, 170), batchRows: 30 })
    expect(await textsOf(w, datasetId)).toEqual((await w.rows(datasetId)).map(([text]) => text ?? null))
  })

  it('are refused when their bytes are damaged, and nothing is added to damaged rows', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: notes(0, 170), batchRows: 30 })
    const shown = (key: 'c0' | 'c1') => {
      const field = { dataset: datasetId, column: key }
      const plan: QueryPlan = {
        ...{ v: 2, kind: 'rows', dataset: datasetId, measures: [], dimensions: [], filters: [] },
        ...{ columns: [field], limit: 1 },
      }
      return w.stub().query(w.scope, { plan, calendar })
    }
    const damaged = {
      ok: false,
      error: { code: 'file_unreadable', message: 'Stored data is damaged. Import the file again.' },
    }
    const damage = (table: string) =>
      w.inside((object) => void object.context.sql.exec(`UPDATE ${table} SET data = zeroblob(length(data))`))
    await damage('column_texts')
    expect(await shown('c0')).toMatchObject(damaged)
    expect(unwrap(await shown('c1')).rows).toEqual([[0]])
    await damage('column_chunks')
    await w.inside((object) => clearResultCache(object.context.sql))
    // What was read while it was whole is still held.
    expect(unwrap(await shown('c1')).rows).toEqual([[0]])
    const upsert = { datasetId, columns, mode: 'upsert' as const, keyColumns: ['c1' as const] }
    await expect(w.load({ ...upsert, rows: notes(0, 1) })).rejects.toThrow('Stored data is damaged.')
    await w.load({ datasetId, columns, mode: 'replace', rows: notes(0, 3) })
    expect(unwrap(await shown('c1')).rows).toEqual([[0]])
  })

  it.each([
    ['numbers', "DELETE FROM column_chunks WHERE column_key = 'c1'", 'c1'],
    ['other numbers', 'UPDATE column_chunks SET data = zeroblob(length(data))', 'c1'],
    ['texts', "DELETE FROM column_texts WHERE column_key = 'c0' AND first > 0", 'c0'],
    ['words', "UPDATE column_words SET words = replace(words, 'note', 'tone')", 'c2'],
    ['words at the end', 'DELETE FROM column_words', 'c2'],
    ['words at the beginning', "UPDATE column_words SET first = first + 3 WHERE column_key = 'c2'", 'c2'],
    ['deleted rows', 'UPDATE deletion_vectors SET data = zeroblob(length(data))', 'c1'],
  ] as const)('are never read as empty or as others: %s', async (_what, damage, key) => {
    const w = warehouse()
    const wide = [...columns, column(2)]
    const rows = notes(0, 170).map((row, n) => [...row, `note ${n % 3}`])
    const { datasetId } = await w.load({ columns: wide, rows, batchRows: 30 })
    const upsert = { datasetId, columns: wide, mode: 'upsert' as const, keyColumns: ['c1' as const] }
    await w.load({ ...upsert, rows: [['changed', 1, 'note 1']] })
    await w.inside((object) => void object.context.sql.exec(damage))
    const count = { kind: 'column' as const, agg: 'countDistinct' as const, field: { dataset: datasetId, column: key } }
    const plan: QueryPlan = {
      ...{ v: 2, kind: 'aggregate', dataset: datasetId, measures: [count], dimensions: [], filters: [] },
    }
    const answer = await w.stub().query(w.scope, { plan, calendar })
    expect(answer).toMatchObject({ ok: false, error: { code: 'file_unreadable' } })
  })

  it('are empty in chunks of a load that did not have their column', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns: columns.slice(1), rows: [[1], [2]] })
    await w.load({ datasetId, columns, mode: 'append', rows: [['late', 3]] })
    await w.load({ datasetId, columns: columns.slice(1), mode: 'append', rows: [[4]] })
    expect(await w.rows(datasetId)).toEqual([
      [1, null],
      [2, null],
      [3, 'late'],
      [4, null],
    ])
  })
})
