import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collectValues } from './different-values'
import { createGroupingMap } from './store'
import { column } from '../../../test/worker/warehouse-driver'
import { CALENDAR, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { putEarlierSet } from '../../../test/worker/earlier-release'
import type { WarehouseContext } from '../context'
import { relationGraph } from '../query/plan/relation-graph'
import { planContextOf } from '../query/make-context'
import { convertRows } from '../segments/convert-rows'
import { columnSources } from '../segments/stored-columns'
import { getTableSet, type TableSet } from '../tables'
import type { StorageValue } from '../../lib/storage-value'

const VALUES: Record<string, fc.Arbitrary<StorageValue>> = {
  text: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constantFrom('', "O'Hara", '"', '\\u0041', '日本')),
  integer: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(2 ** 53 - 1, -(2 ** 40))),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0.1, 1e300, 5e-324)),
  'number:2': fc.integer({ min: -500, max: 500 }),
  boolean: fc.constantFrom(0, 1),
  date: fc.integer({ min: 19_000, max: 19_010 }),
}
const cases = fc.constantFrom(...Object.keys(VALUES)).chain((type) =>
  fc.record({
    type: fc.constant(type),
    cells: fc.array(fc.option(VALUES[type] ?? fc.constant(null)), { maxLength: 40 }),
  }),
)

const firstCells = (sql: SqlStorage, query: string): unknown[] => [...sql.exec(query).raw()].map(([cell]) => cell)

it('lists the different values of a column as the rows have them', async () => {
  await inSqlite('different-values', async (sql) => {
    const context: WarehouseContext = {
      sql,
      transaction: (work) => work(),
      clock: { now: () => 1 },
      pause: () => Promise.resolve(),
    }
    let listed = 0
    for (const [n, { type, cells }] of fc.sample(cases, { numRuns: 80, seed: 43 }).entries()) {
      const one = column(0, type)
      const rows = cells.map((cell) => [cell])
      const at = { datasetId: `ds_${n}`, kind: 'live' as const, columns: [one] }
      await convertRows(context, putEarlierSet(context, { ...at, n: n + 1, rows }))
      const spec = specOf(context, getTableSet(context, n + 1))
      const means = { graph: relationGraph(spec.catalogueFor()), period: null }
      const planContext = planContextOf(
        { scope: EVERYTHING, calendar: CALENDAR, catalogue: spec.catalogueFor() },
        means,
      )
      const map = createGroupingMap(context, spec, 'values')
      const steps = collectValues(context, spec, { map, planContext, sources: spec.sources })
      while (steps.next().done !== true);
      // −0 and 0 are one value.
      const wanted = new Set(cells.flatMap((cell) => (cell === null ? [] : [cell === 0 ? 0 : cell])))
      const found = firstCells(sql, `SELECT gv FROM gm${map.n}`)
      expect(found).toHaveLength(wanted.size)
      expect(new Set(found)).toEqual(wanted)
      const kinds = firstCells(sql, `SELECT DISTINCT typeof(gv) FROM gm${map.n}`)
      expect(kinds).toEqual(wanted.size === 0 ? [] : type === 'text' ? ['text'] : expect.any(Array))
      if (type !== 'text' && type !== 'number' && wanted.size > 0) expect(kinds).toEqual(['integer'])
      listed += found.length
    }
    expect(listed).toBeGreaterThan(200)
  })
})

function specOf(context: WarehouseContext, { n, datasetId, columns, layout, manifest }: TableSet) {
  const [one = column(0)] = columns
  const dataset = {
    ...{ id: datasetId, sourceId: 'src_1', name: 'Values', bytes: 0, keyColumns: [], rowCount: 0, dataVersion: 1 },
    ...{ columns, loadedAt: context.clock.now(), tableSet: n, layout, bounds: {}, manifest },
  }
  const groups = { id: 'gpg_1', version: n, name: 'Groups', draft: false }
  const sources = columnSources(context.sql)
  return {
    definition: { ...groups, fallback: { kind: 'exclude' as const }, eras: [] },
    ...{ dataset, column: one, era: 0, sources },
    catalogueFor: () => ({ find: () => dataset, edges: [] }),
  }
}
