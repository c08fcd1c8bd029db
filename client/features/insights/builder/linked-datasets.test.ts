import { describe, expect, it } from 'vitest'
import { queryPlanSchema, type Filter, type QueryPlan } from '../../../../src/shared/query/plan'
import type { Relation } from '../../../../src/shared/relations'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { buildPlan, toPlanDraft } from './build-plan'
import { drillPlan } from '../../../lib/marks/drill-plan'
import { fieldLabeller } from '../../../lib/query-builder/filter-naming'
import { CUSTOMER_OF, CUSTOMERS, field, MONTHLY, ORDERS } from '../insights.fixture'
import { answerOf, sales } from '../../../ui/chart/chart.fixture'
import { fieldOptions, findColumn, toField, fieldKeyOf } from '../../../lib/query-builder/catalogue'
import { toFilterDraft, toFilter } from '../../../lib/query-builder/filter-draft'
import { linkDataset } from '../../../lib/query-builder/linked-datasets'

const named = (id: number, name: string): Dataset => ({ ...CUSTOMERS, id: `ds_0000000000000000000${id}`, name })
const BUDGET = named(3, 'Budget')
const REGIONS = named(4, 'Regions')
const KNOWN = [ORDERS, CUSTOMERS, BUDGET, REGIONS]
const joins = (id: number, from: Dataset, to: Dataset, over: Partial<Relation> = {}): Relation => ({
  ...CUSTOMER_OF,
  id: `rel_0000000000000000000${id}`,
  from: { datasetId: from.id, datasetName: from.name, key: 'c0', label: `to_${to.name}` },
  to: { datasetId: to.id, datasetName: to.name, key: 'c0', label: 'no' },
  ...over,
})
const linkedOf = (base: Dataset, relations: Relation[]) => linkDataset(base, KNOWN, relations)
const uses = (base: Dataset, relations: Relation[]) =>
  linkedOf(base, relations).linked.map(({ use, heading, via }) => [use, heading, via.length])

describe('datasets joined by relations', () => {
  it('are called by the column that leads there, as far as relations go', () => {
    const relations = [joins(1, ORDERS, CUSTOMERS), joins(2, CUSTOMERS, REGIONS)]
    expect(uses(ORDERS, relations)).toEqual([
      ['splits', 'Customers (by To Customers)', 0],
      ['splits', 'Regions (by To Customers, To Regions)', 0],
      ['measures', 'Customers', 0],
      ['measures', 'Regions', 0],
    ])
  })

  it('are only those of confirmed relations', () => {
    const proposed = joins(1, ORDERS, CUSTOMERS, { state: 'proposed' })
    const broken = joins(2, ORDERS, REGIONS, { state: 'broken' })
    expect(linkedOf(ORDERS, [proposed, broken]).linked).toEqual([])
  })

  it('name their relations where two ways are equally short', () => {
    const two = [joins(1, ORDERS, CUSTOMERS), joins(2, ORDERS, CUSTOMERS)]
    expect(uses(ORDERS, two).filter(([use]) => use === 'splits')).toEqual([
      ['splits', 'Customers (by To Customers)', 1],
      ['splits', 'Customers (by To Customers)', 1],
    ])
    const detour = [joins(1, ORDERS, CUSTOMERS), joins(2, ORDERS, REGIONS), joins(3, REGIONS, CUSTOMERS)]
    expect(uses(ORDERS, detour).filter(([, name]) => String(name).startsWith('Customers ('))).toEqual([
      ['splits', 'Customers (by To Customers)', 0],
    ])
  })

  it('are joined from the other end, too, where they are one-to-one', () => {
    const one = joins(1, ORDERS, CUSTOMERS, { proof: { ...CUSTOMER_OF.proof, oneToOne: true } })
    const splits = (base: Dataset, relations: Relation[]) => uses(base, relations).filter(([use]) => use === 'splits')
    expect(splits(CUSTOMERS, [one, joins(2, ORDERS, REGIONS)])).toEqual([
      ['splits', 'Orders (by To Customers)', 0],
      ['splits', 'Regions (by To Customers, To Regions)', 0],
    ])
    expect(splits(CUSTOMERS, [joins(1, ORDERS, CUSTOMERS)])).toEqual([])
  })

  it('can be measured beside one another when they share something to split by', () => {
    const relations = [joins(1, ORDERS, CUSTOMERS), joins(2, BUDGET, CUSTOMERS)]
    expect(uses(ORDERS, relations)).toContainEqual(['measures', 'Budget', 0])
    expect(uses(ORDERS, [joins(1, ORDERS, CUSTOMERS)])).not.toContainEqual(['measures', 'Budget', 0])
  })

  it('end where relations go round in a circle', () => {
    expect(uses(ORDERS, [joins(1, ORDERS, CUSTOMERS), joins(2, CUSTOMERS, ORDERS)])).toHaveLength(3)
  })
})

describe('a field of a joined dataset', () => {
  const base = linkedOf(ORDERS, [joins(1, ORDERS, CUSTOMERS), joins(2, ORDERS, CUSTOMERS)])

  it('has a key that leads back to it, with its relations', () => {
    const choices = fieldOptions(base, 'splits').filter((choice) => choice.group !== null)
    expect(choices.length).toBeGreaterThan(3)
    for (const { key, column } of choices) {
      expect(findColumn(base, key)).toBe(column)
      const found = toField(base, key)
      expect(found).toMatchObject({ dataset: CUSTOMERS.id, column: column.key, via: [expect.stringMatching(/^rel_/)] })
      expect(found && fieldKeyOf(base, found)).toBe(key)
    }
  })

  it('of the data itself is its column alone', () => {
    expect(fieldKeyOf(base, field('c2'))).toBe('c2')
    expect(toField(base, 'c2')).toEqual(field('c2'))
    expect(toField(base, 'ds_none/c2')).toBeNull()
  })
})

it('a way that is named although it is the only one is offered all the same', () => {
  const linked = linkedOf(ORDERS, [CUSTOMER_OF])
  const named = { dataset: CUSTOMERS.id, column: CUSTOMERS.columns[0]?.key ?? 'c0', via: [CUSTOMER_OF.id] }
  const key = fieldKeyOf(linked, named)
  expect(fieldOptions(linked, 'splits').map((option) => option.key)).toContain(key)
})

describe('a question over several datasets', () => {
  const base = linkedOf(ORDERS, [joins(1, ORDERS, CUSTOMERS), joins(2, BUDGET, CUSTOMERS)])
  const region = { dataset: CUSTOMERS.id, column: 'c1' as const }
  const plan: QueryPlan = {
    ...MONTHLY,
    measures: [
      { kind: 'column', agg: 'sum', field: field('c5'), label: 'Amount' },
      {
        kind: 'column',
        agg: 'sum',
        field: { dataset: BUDGET.id, column: 'c2' },
        filter: [{ field: { dataset: BUDGET.id, column: 'c1' }, any: [{ op: 'in', values: ['North'] }] }],
      },
      { kind: 'column', agg: 'count', dataset: BUDGET.id },
    ],
    dimensions: [{ field: region }],
    filters: [{ field: region, any: [{ op: 'in', values: ['North'] }] }],
  }

  it('comes back from the builder as it was', () => {
    const built = buildPlan(toPlanDraft(plan, { chart: 'bar', direction: 'up' }, base))
    expect(built).toMatchObject({ ok: true })
    expect(built.ok && built.plan).toEqual(plan)
    expect(built.ok && queryPlanSchema.safeParse(built.plan).error).toBeUndefined()
  })

  it('keeps what it cannot show: rows of one dataset put together by a column of another', () => {
    const kept = {
      ...plan,
      measures: [{ kind: 'column' as const, agg: 'sum' as const, field: region, dataset: ORDERS.id }],
    }
    const odd = {
      ...kept,
      measures: [
        { ...kept.measures[0], kind: 'column' as const, agg: 'count' as const, dataset: BUDGET.id, field: region },
      ],
    }
    expect(toPlanDraft(odd, { chart: 'bar', direction: 'up' }, base).measures[0]).toMatchObject({ kind: 'kept' })
  })

  it('names whose column it is in the formula', () => {
    expect(fieldLabeller([ORDERS, CUSTOMERS], ORDERS.id)(region)).toBe('region of Customers')
    expect(fieldLabeller([ORDERS, CUSTOMERS], ORDERS.id)(field('c5'))).toBe('amount')
  })

  it('drills to the rows of its first figure', () => {
    const of = (at: number) => ({ ...plan, measures: plan.measures.slice(at) })
    const result = answerOf([{ ...sales, key: 'd0', kind: 'dimension' }], [['North']])
    const ask = { result, row: 0 }
    expect(drillPlan({ ...ask, plan: of(0) }).dataset).toBe(ORDERS.id)
    expect(drillPlan({ ...ask, plan: of(1) }).dataset).toBe(BUDGET.id)
    expect(drillPlan({ ...ask, plan: of(2) }).dataset).toBe(BUDGET.id)
  })
})

describe('a filter over related rows', () => {
  const base = linkedOf(CUSTOMERS, [joins(1, ORDERS, CUSTOMERS)])
  const filter: Filter = {
    kind: 'notExists',
    dataset: ORDERS.id,
    filters: [{ field: field('c2'), any: [{ op: 'in', values: ['Sweden'] }] }],
  }

  it('comes back from the builder as it was', () => {
    const draft = toFilterDraft(filter, base)
    expect(draft).toMatchObject({
      kind: 'related',
      op: 'notExists',
      relation: null,
      filters: [{ kind: 'edit', column: 'c2' }],
    })
    expect(toFilter(draft, base)).toEqual(filter)
  })

  it('says which relation when two point here', () => {
    const two = linkedOf(CUSTOMERS, [joins(1, ORDERS, CUSTOMERS), joins(2, ORDERS, CUSTOMERS)])
    const [first] = two.linked.filter((one) => one.use === 'exists')
    expect(first?.via).toEqual([joins(1, ORDERS, CUSTOMERS).id])
    expect(toFilterDraft(filter, ORDERS)).toMatchObject({ kind: 'kept' })
  })
})
