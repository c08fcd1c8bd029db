import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { putGrouping } from './store'
import { buildMapsNow, type GroupingViews } from './grouping-maps'
import { groupings, plansWithGroupings } from '../../../test/worker/random/groupings'
import { aggregatePlans, calendars, COLUMNS, datasets } from '../../../test/worker/random/plans'
import { scopeOf, warehouse } from '../../../test/worker/warehouse-driver'
import { DATASET } from '../../../test/worker/warehouse-rows'
import type { ScopeWire } from '../../identity/scope'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { LiveDataset } from '../physical-layout'
import { clearResultCache } from '../query/result-cache'
import type { AggregateQuery } from '../query/aggregates/compile-aggregate'
import { sqlExecutor } from '../query/sources/sql'
import { relationGraph } from '../query/plan/relation-graph'
import { runQuery } from '../../../test/worker/run-query'
import { compileContextOf } from '../query/sources/compile-context'
import { queryCatalogue } from '../query-catalogue'
import { beginRollup, buildingCalendar, buildSlice, rolledDataset } from '../rollups/build'
import { rollupRequirements } from '../rollups/requirements'
import { shapeFor } from '../rollups/rollups'
import type { WarehouseContext } from '../context'
import type { Calendar } from '../../shared/dates'

const LONG = env['LONG'] === '1'
const RUNS = LONG ? 400 : 4
const PLANS_PER_DATASET = 10
/** Sums by group: what rollups are for. */
const SUMS: QueryPlan = {
  ...{ v: 2, kind: 'aggregate', dataset: DATASET, filters: [], totals: true },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c2' } }],
  dimensions: [{ field: { dataset: DATASET, column: 'c0' }, grouping: { id: `gpg_${'0'.repeat(20)}`, level: 1 } }],
}

function built(
  context: WarehouseContext,
  scope: ScopeWire,
  at: { dataset: LiveDataset; question: AggregateQuery; zone: string },
) {
  const needs = rollupRequirements(at.question, at.dataset, scope)
  const shape = needs && shapeFor(at.dataset, { needs, zone: at.zone })
  if (!needs || !shape) return null
  const catalogue = queryCatalogue(context, scopeOf(scope.workspaceId))
  const calendar = buildingCalendar(shape.zone)
  const means = { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) }
  const world = compileContextOf({ scope: scopeOf(scope.workspaceId), calendar, catalogue }, means)
  let rollup = context.transaction(() => beginRollup(context, at.dataset, shape))
  while (rollup.state === 'building') rollup = buildSlice(context, { rollup, dataset: at.dataset, world, rows: 7 })
  return needs.whole.every((key) => rollup.whole.includes(key)) ? rolledDataset(at.dataset, rollup) : null
}

function answerOf(
  context: WarehouseContext,
  scope: ScopeWire,
  ask: { plan: QueryPlan; calendar: Calendar; groupings: GroupingViews; rolled: boolean },
): QueryResult {
  const { rolled, ...rest } = ask
  clearResultCache(context.sql)
  const rollup = (dataset: LiveDataset, query: AggregateQuery) =>
    rolled ? built(context, scope, { dataset, question: query, zone: ask.calendar.timeZone }) : null
  return unwrap(
    runQuery({ sql: context.sql, catalogue: queryCatalogue(context, scope), scope, now: 0, rollup, ...rest }),
  )
}

it('answers from rollups through groupings as from the rows themselves', async () => {
  let rolled = 0
  const typeOf = ({ column }: { column: string }) => COLUMNS.find(({ key }) => key === column)?.type
  const asks = fc.array(fc.record({ plan: plansWithGroupings(aggregatePlans, typeOf), calendar: calendars }), {
    minLength: PLANS_PER_DATASET,
    maxLength: PLANS_PER_DATASET,
  })
  const filled = datasets.filter((rows) => rows.length > 0)
  const property = fc.asyncProperty(filled, groupings, asks, async (rows, defined, each) => {
    const { inside, load, scope } = warehouse()
    const { datasetId } = await load({ columns: COLUMNS, rows })
    await inside(({ context }) => {
      for (const one of defined) putGrouping(context, { ...one, name: 'Regions', version: 1, draft: false })
      const versions = defined.map(({ id }) => ({ id, version: 1 }))
      for (const { plan: random, calendar } of [...each, ...each.slice(0, 1).map((one) => ({ ...one, plan: SUMS }))]) {
        const plan: QueryPlan = JSON.parse(JSON.stringify(random).replaceAll(/ds_0{20}/g, datasetId))
        const seen = buildMapsNow(context, { scope, plan, calendar, groupings: versions })
        const wanted = answerOf(context, scope, { plan, calendar, groupings: seen, rolled: false })
        const { rolled: isRolled, ...got } = answerOf(context, scope, { plan, calendar, groupings: seen, rolled: true })
        if (isRolled) rolled += 1
        expect({ plan, calendar, ...got }).toEqual({ plan, calendar, ...wanted })
      }
    })
  })
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  expect(rolled).toBeGreaterThanOrEqual(RUNS)
}, 240_000)
