import { expect, it } from 'vitest'
import { CHUNK_ROWS } from '../chunk'
import { countFold } from '../folds/folds'
import { GroupPage, type Figure } from './group-page'
import { indexedSplit } from '../splits'
import { groupKeys } from './group-keys'
import { numbersOf } from '../vectors'
import { RATIO_TRAITS } from '../../query/aggregates/calculations'
import { planSplits } from '../../query/aggregates/plan-splits'
import { planContextOf } from '../../query/make-context'
import { relationGraph } from '../../query/plan/relation-graph'
import { CALENDAR, column, DATASET, EVERYTHING, tableOf } from '../../../../test/worker/warehouse-rows'
import { queryPlanSchema } from '../../../shared/query/plan'

const GROUPS = 50_000

it('finds a page far on in pieces, and holds few of the groups before it', () => {
  const dataset = tableOf([column(0, { type: 'integer' })], [[1]])
  const catalogue = { find: () => dataset, edges: [] }
  const graph = relationGraph(catalogue)
  const planContext = planContextOf({ scope: EVERYTHING, calendar: CALENDAR, catalogue }, { graph, period: null })
  const plan = queryPlanSchema.parse({
    ...{ v: 1, kind: 'aggregate', filters: [], limit: 3, offset: 40_000 },
    measures: [{ kind: 'column', agg: 'count', dataset: DATASET }],
    dimensions: [{ field: { dataset: DATASET, column: 'c0' } }],
  })
  const place = { chunk: 0, rows: GROUPS }
  // Every number once, in an order of their own.
  const numbers = numbersOf(({ rows }, to) => {
    for (let row = 0; row < rows; row += 1) to[row] = (row * 7919) % GROUPS
  })
  const splits = [indexedSplit(numbers)]
  const keys = groupKeys(splits, GROUPS)
  const own = new Int32Array(CHUNK_ROWS)
  keys.fill(place, { side: 0, mask: null }, own)
  const present = countFold(null)
  present.grow(keys.size())
  present.add(place, own)
  let asked = 0
  const amount: Figure['amount'] = ({ keys: [key] }) => {
    asked += 1
    return Number(key)
  }
  const figures = [{ traits: RATIO_TRAITS, amount, order: amount, total: () => null }]
  const dimensions = planSplits(planContext, DATASET, plan)
  const page = new GroupPage(plan, { dimensions, sides: [0], shares: 1, sorted: 10_003 })
  let pieces = 1
  do for (const _ of page.add([{ splits, keys, present, leaves: new Map() }], figures)) pieces += 1
  while (page.next())
  expect(page.groups.map((group) => group.keys)).toEqual([[9_999], [9_998], [9_997]])
  expect(page.rowCount).toBe(GROUPS)
  expect(pieces).toBeGreaterThan(40)
  expect(asked).toBeGreaterThan(4 * GROUPS)
})
