import { describe, expect, it } from 'vitest'
import { buildRequestedRollups } from './rollups'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import { unwrap } from '../../shared/errors'
import type { ScopeWire } from '../../identity/scope'
import type { Filter, Measure, QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { Calendar } from '../../shared/dates'
import type { ColumnKey } from '../../shared/data-sources/files'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }
const MANY = 60_000
const COLUMNS = [column(0), column(1, 'number:2'), column(2), column(3, 'integer')]
/** Ten groups, two secrets, amounts of 1.00, and the number of the row. */
const rows = (count = MANY) => Array.from({ length: count }, (_, n) => [`G${n % 10}`, 100, n % 3 === 0 ? 'x' : 'y', n])

async function scene() {
  const driver = warehouse()
  const { load, scope, stub, inside } = driver
  const { datasetId } = await load({ columns: COLUMNS, rows: rows() })
  const field = (key: ColumnKey) => ({ dataset: datasetId, column: key })
  let asked = 0
  const planOf = (more: { measures?: Measure[]; filters?: Filter[]; by?: ColumnKey } = {}): QueryPlan => ({
    v: 1,
    kind: 'aggregate',
    // A label of its own each time, so that no answer is one that was kept.
    measures: more.measures ?? [{ kind: 'column', agg: 'sum', field: field('c1'), label: `Asked ${(asked += 1)}` }],
    dimensions: [{ field: field(more.by ?? 'c0') }],
    filters: more.filters ?? [],
  })
  const ask = async (plan = planOf(), who: ScopeWire = scope): Promise<QueryResult> =>
    unwrap(await stub().query(who, { plan, calendar: CALENDAR }))
  const prepared = () =>
    inside(({ context }) => buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId }))
  const sumOf = ({ rows: found }: QueryResult): number => found.reduce((total, [, sum]) => total + Number(sum), 0)
  await ask()
  await prepared()
  expect(await ask()).toMatchObject({ rolled: true })
  return { ...driver, datasetId, field, planOf, ask, prepared, sumOf }
}

describe('a rollup of earlier rows', () => {
  it('answers nothing after a load of any mode, a rollback, or a change of scale', async () => {
    const { load, datasetId, ask, prepared, sumOf, stub, scope } = await scene()
    const change = async (mode: 'append' | 'upsert' | 'replacePart' | 'replace', one: (string | number)[]) => {
      const keyColumns: ColumnKey[] = mode === 'upsert' ? ['c3'] : mode === 'replacePart' ? ['c0'] : []
      await load({ datasetId, mode, columns: COLUMNS, rows: mode === 'replace' ? [...rows(), one] : [one], keyColumns })
      const sum = sumOf(await ask())
      await prepared()
      const again = await ask()
      expect([mode, again.rolled, sumOf(again)]).toEqual([mode, true, sum])
      return sum
    }
    expect(await change('append', ['G0', 500, 'x', MANY])).toBe(MANY + 5)
    expect(await change('upsert', ['G0', 900, 'x', MANY])).toBe(MANY + 9)
    expect(await change('replacePart', ['G9', 100, 'x', 1])).toBe(MANY + 9 - MANY / 10 + 1)
    const { dataVersion } = unwrap(await stub().dataset(scope, datasetId))
    unwrap(await stub().rollback(scope, { datasetId, dataVersion: dataVersion - 1, runId: 'run_back' }))
    expect(sumOf(await ask())).toBe(MANY + 9)
    await prepared()
    expect(await ask()).toMatchObject({ rolled: true })
    await load({
      datasetId,
      mode: 'append',
      columns: COLUMNS,
      rows: [['G1', [0.125], 'x', 7]],
      widened: [{ key: 'c1', decimals: 3 }],
    })
    expect(sumOf(await ask())).toBeCloseTo(MANY + 9.125, 6)
    await prepared()
    expect(sumOf(await ask())).toBeCloseTo(MANY + 9.125, 6)
    expect(await change('replace', ['G0', 300, 'x', MANY])).toBe(MANY + 3)
  })

  it('is gone with its dataset, and of use again when that is restored', async () => {
    const { datasetId, ask, planOf, sumOf, stub, scope } = await scene()
    unwrap(await stub().deleteDataset(scope, { datasetId, purge: false }))
    const refused = await stub().query(scope, { plan: planOf(), calendar: CALENDAR })
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_found' } })
    unwrap(await stub().restoreDataset(scope, datasetId))
    expect(sumOf(await ask())).toBe(MANY)
  })

  it('shows a description changed since', async () => {
    const { datasetId, ask, stub, scope } = await scene()
    const columns = COLUMNS.map(({ key, role, format, hidden }) => ({ key, role, format, hidden, label: `New ${key}` }))
    unwrap(await stub().describeDataset(scope, { datasetId, name: 'Renamed', columns }))
    const answer = await ask()
    expect(answer.rolled).toBe(true)
    expect([answer.columns[0]?.label, answer.datasets[0]?.name]).toEqual(['New c0', 'Renamed'])
  })
})

describe('a rollup made for everybody', () => {
  it('shows a limited member no group, sum or name of what is kept from them', async () => {
    const { datasetId, field, ask, planOf, prepared, scope, stub } = await scene()
    const filters: Filter[] = [{ field: field('c2'), any: [{ op: 'eq', value: 'x' }] }]
    // Somebody who may see all asks along the secret column: its rollup is there.
    await ask(planOf({ filters }))
    await ask(planOf({ by: 'c2' }))
    await prepared()
    expect(await ask(planOf({ filters }))).toMatchObject({ rolled: true })
    const ruled: ScopeWire = { ...scope, rowFilters: [{ dataset: datasetId, filters }] }
    const limited = await ask(planOf(), ruled)
    expect(limited.rolled).toBe(true)
    expect(limited.rows.every(([, sum]) => sum === MANY / 30)).toBe(true)
    expect((await ask(planOf({ by: 'c2' }), ruled)).rows.map(([secret]) => secret)).toEqual(['x'])
    const hiding: ScopeWire = { ...ruled, hidden: [field('c2')] }
    expect((await ask(planOf(), hiding)).rows, 'a rule along what is hidden lets nothing through').toEqual([])
    const blind: ScopeWire = { ...scope, hidden: [field('c2')] }
    for (const plan of [planOf({ by: 'c2' }), planOf({ filters })])
      expect(await stub().query(blind, { plan, calendar: CALENDAR })).toMatchObject({
        ok: false,
        error: { code: 'unknown_field' },
      })
    const emptied: ScopeWire = { ...scope, rowFilters: [{ dataset: datasetId, filters: [] }] }
    expect((await ask(planOf(), emptied)).rows, 'an empty rule lets nothing through').toEqual([])
  })

  it('has no columns of its own that a plan can name', async () => {
    const { field, planOf, stub, scope } = await scene()
    for (const key of ['c10001', 'c20001', 'c30001', 'c40000', 'c50000'] as const) {
      const measures: Measure[] = [{ kind: 'column', agg: 'max', field: field(key) }]
      for (const plan of [planOf({ by: key }), planOf({ measures })])
        expect(await stub().query(scope, { plan, calendar: CALENDAR })).toMatchObject({ ok: false })
    }
  })
})
