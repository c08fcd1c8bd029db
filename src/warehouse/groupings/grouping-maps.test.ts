import { expect, it } from 'vitest'
import { groupingViewSteps, type GroupedQuery } from './grouping-maps'
import { putGrouping } from './store'
import { column } from '../../../test/worker/warehouse-driver'
import { CALENDAR, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { putEarlierSet } from '../../../test/worker/earlier-release'
import type { WarehouseContext } from '../context'
import { convertRows } from '../segments/convert-rows'
import { getTableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { QueryPlan } from '../../shared/query/plan'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'

const DATASET = 'ds_00000000000000000000'
const GROUPING = 'gpg_00000000000000000000'
const field = (key: ColumnKey): Field => ({ dataset: DATASET, column: key })
const factor = (key: ColumnKey): Expr => ({ kind: 'field', field: field(key) })
const product: Expr = { kind: 'binary', op: 'multiply', left: factor('c0'), right: factor('c1') }
/** Functions of numbers past 53 bits are not worked out from columns. */
const size: Column = { ...column(1999, 'integer', 'size'), computed: { kind: 'function', fn: 'abs', items: [product] } }
const bounds = { c0: { min: 1, max: 1e9 }, c1: { min: 1, max: 1e8 } }

const planOf = (key: ColumnKey, as: 'current' | 'then'): QueryPlan => ({
  ...{ v: 2, kind: 'aggregate', dataset: DATASET, filters: [], sort: [], totals: false },
  measures: [{ kind: 'column', agg: 'count', dataset: DATASET }],
  dimensions: [{ field: field(key), grouping: { id: GROUPING, as } }],
})

/** A dataset of an earlier release, and a grouping that was another one until 2025. */
function scene(sql: SqlStorage) {
  const context: WarehouseContext = {
    sql,
    transaction: (work) => work(),
    clock: { now: () => 1 },
    pause: () => Promise.resolve(),
  }
  const columns = [column(0, 'integer'), column(1, 'integer')]
  putEarlierSet(context, {
    n: 1,
    datasetId: DATASET,
    kind: 'live',
    columns,
    rows: [
      [1e9, 1e8],
      [1, 1],
    ],
    bounds,
  })
  const fallback = { kind: 'asIs' as const }
  const eras = [null, '2025-01-01'].map((from) => ({ from, groups: [] }))
  putGrouping(context, { id: GROUPING, version: 1, name: 'Sizes', draft: false, fallback, eras })
  const find = () => {
    const { layout, manifest } = getTableSet(context, 1)
    return {
      ...{ id: DATASET, sourceId: 'src_1', name: 'Orders', bytes: 0, keyColumns: [], rowCount: 2, dataVersion: 1 },
      ...{ columns: [...columns, size], loadedAt: 1, tableSet: 1, layout, bounds, manifest },
    }
  }
  const ask = (plan: QueryPlan): GroupedQuery => ({
    ...{ scope: EVERYTHING, plan, calendar: CALENDAR, groupings: [{ id: GROUPING, version: 1 }] },
    catalogueFor: () => ({ find, edges: [] }),
  })
  const answer = async (plan: QueryPlan) => {
    const steps = groupingViewSteps(context, ask(plan))
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      await value
    }
  }
  const maps = () => sql.exec<{ ready: number }>('SELECT ready FROM grouping_maps').toArray()
  return { context, answer, maps }
}

it('makes the maps of all periods over rows of an earlier release, which become columns first', async () => {
  await inSqlite('maps-of-earlier-rows', async (sql) => {
    const { answer, maps } = scene(sql)
    await answer(planOf('c0', 'then'))
    expect(maps()).toEqual([{ ready: 1 }, { ready: 1 }])
  })
})

it('refuses computed values that columns do not tell, and leaves no map of them', async () => {
  await inSqlite('maps-of-large-values', async (sql) => {
    const { context, answer, maps } = scene(sql)
    await convertRows(context, getTableSet(context, 1))
    await expect(answer(planOf('c1999', 'current'))).rejects.toMatchObject({
      ...{ code: 'query_too_complex', details: { what: 'columns' } },
    })
    expect(maps()).toEqual([])
    expect(sql.exec("SELECT name FROM sqlite_master WHERE name GLOB 'gm[0-9]*'").toArray()).toEqual([])
  })
})
