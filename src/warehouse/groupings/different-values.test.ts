import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collectValues } from './different-values'
import { createGroupingMap, dropGroupingMap, type GroupingMapSpec } from './store'
import { column } from '../../../test/worker/warehouse-driver'
import { inSqlite } from '../../../test/worker/warehouse-rows'
import type { WarehouseContext } from '../context'
import { fillColumns } from '../segments/fill-columns'
import { createTableSet, groupTable } from '../tables'
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

it('lists the different values of a column as the rows have them, from chunks and before there are any', async () => {
  await inSqlite('different-values', async (sql) => {
    const context: WarehouseContext = {
      sql,
      transaction: (work) => work(),
      clock: { now: () => 1 },
      pause: () => Promise.resolve(),
    }
    let listed = 0
    for (const [n, { type, cells }] of fc.sample(cases, { numRuns: 80, seed: 43 }).entries()) {
      const set = createTableSet(context, { datasetId: `ds_${n}`, kind: 'live', columns: [column(0, type)] })
      const table = groupTable(set, 0)
      for (const cell of cells) sql.exec(`INSERT INTO ${table} ("c0") VALUES (?)`, cell)
      // Numbers are bound as floating point: whole ones lie as whole ones, as loads bring them.
      if (type !== 'number') sql.exec(`UPDATE ${table} SET "c0" = CAST("c0" AS INTEGER) WHERE typeof("c0") = 'real'`)
      const wanted = new Set(firstCells(sql, `SELECT DISTINCT "c0" FROM ${table} WHERE "c0" IS NOT NULL`))
      const spec = specOf(context, { n, tableSet: set.n, type })
      for (const isFilled of [false, true]) {
        if (isFilled) await fillColumns(context, set)
        const map = createGroupingMap(context, spec, 'values')
        const world = () => {
          throw new Error('The rows were asked.')
        }
        const steps = collectValues(context, spec, { map, world })
        while (steps.next().done !== true);
        const found = firstCells(sql, `SELECT gv FROM gm${map.n}`)
        expect(found).toHaveLength(wanted.size)
        expect(new Set(found)).toEqual(wanted)
        const kinds = firstCells(sql, `SELECT DISTINCT typeof(gv) FROM gm${map.n}`)
        expect(kinds).toEqual(wanted.size === 0 ? [] : type === 'text' ? ['text'] : expect.any(Array))
        if (type !== 'text' && type !== 'number' && wanted.size > 0) expect(kinds).toEqual(['integer'])
        listed += found.length
        dropGroupingMap(context, map.n)
      }
    }
    expect(listed).toBeGreaterThan(300)
  })
})

function specOf(
  context: WarehouseContext,
  { n, tableSet, type }: { n: number; tableSet: number; type: string },
): GroupingMapSpec {
  const one = column(0, type)
  const dataset = {
    ...{ id: `ds_${n}`, sourceId: 'src_1', name: 'Values', bytes: 0, keyColumns: [], rowCount: 0, dataVersion: 1 },
    ...{ columns: [one], loadedAt: context.clock.now(), tableSet, layout: [[one.key]], bounds: {} },
  }
  const definition = {
    id: 'gpg_1',
    version: n,
    name: 'Groups',
    draft: false,
    fallback: { kind: 'exclude' as const },
    eras: [],
  }
  return { definition, dataset, column: one, era: 0, catalogueFor: () => ({ find: () => dataset, edges: [] }) }
}
