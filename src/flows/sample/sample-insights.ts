import { TERMS } from '../../shared/terms'
import { figureByMonth } from '../../features/insights/model/ledger-starters'
import type { CreateInsightInput } from '../../shared/insights'
import type { Measure, QueryPlanInput } from '../../shared/query/plan'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'
import { BAS_RANGES } from '../../shared/account-classes'
import { ledgerFigures } from '../../shared/statements/ledger-figures'
import type { Dataset } from '../../shared/data-sources/data-sources'

/** The columns of one dataset, by the names that its file gives them. */
type ColumnLookup = (label: string) => Field

/** @throws Error for a column that is not there: the files are ours, so it can only be a fault of ours */
function columnsOf(datasets: readonly Dataset[], name: string): ColumnLookup {
  const dataset = datasets.find((one) => one.name === name)
  return (label) => {
    const column = dataset?.columns.find((one) => one.label === label)
    if (!dataset || !column) throw new Error(`the sample has no ${name}.${label}`)
    return { dataset: dataset.id, column: column.key }
  }
}

const sum = (field: Field, label: string): Measure => ({ kind: 'column', agg: 'sum', field, label })
const valueOf = (field: Field): Expr => ({ kind: 'field', field })
const plan = (of: Partial<QueryPlanInput> & Pick<QueryPlanInput, 'measures'>): QueryPlanInput => ({
  v: 1,
  kind: 'aggregate',
  dimensions: [],
  filters: [],
  ...of,
})
const lastMonths = (field: Field, n: number): QueryPlanInput['period'] => ({
  field,
  range: { kind: 'relative', span: 'last', unit: 'month', n },
})

/** Five insights that show what happened to the company. */
export function sampleInsights(datasets: readonly Dataset[]): CreateInsightInput[] {
  const orders = columnsOf(datasets, 'Orders')
  const [customers, entries, accounts] = ['Customers', 'Entries', 'Accounts'].map((name) => columnsOf(datasets, name))
  if (!customers || !entries || !accounts) return []
  return [
    salesAgainstLastYear(orders),
    marginByGroup(orders),
    stoppedCustomers(orders, customers),
    resultByMonth(datasets, entries('date')),
    unusualCosts(entries, accounts),
  ]
}

function resultByMonth(datasets: readonly Dataset[], date: Field): CreateInsightInput {
  const meaning = { ranges: BAS_RANGES, adjusted: false }
  const figures = datasets.flatMap((dataset) => ledgerFigures(dataset, meaning) ?? [])
  const result = figures.find(({ kind }) => kind === 'resultBeforeTax')
  if (!result) throw new Error('the sample has no ledger')
  return figureByMonth(date, result)
}

function salesAgainstLastYear(orders: ColumnLookup): CreateInsightInput {
  const day = orders('Order date')
  return {
    name: 'Sales by month',
    description: 'Order amounts over the last 12 months, vs the previous year.',
    plan: plan({
      measures: [sum(orders('Amount'), 'Sales')],
      dimensions: [{ field: day, grain: 'month' }],
      period: { field: day, range: { kind: 'relative', span: 'last', unit: 'month', n: 12 }, compare: 'year' },
      totals: true,
    }),
    viz: { chart: 'line', direction: 'up' },
  }
}

function marginByGroup(orders: ColumnLookup): CreateInsightInput {
  const day = orders('Order date')
  const profit: Expr = {
    kind: 'binary',
    op: 'subtract',
    left: valueOf(orders('Amount')),
    right: valueOf(orders('Cost')),
  }
  const margin: Measure = {
    kind: 'ratio',
    over: { kind: 'expression', agg: 'sum', row: profit, label: 'Gross profit' },
    under: sum(orders('Amount'), 'Sales'),
    label: TERMS.grossMargin,
  }
  return {
    name: `${TERMS.grossMargin} by product group`,
    description: 'Gross profit as a share of sales, by quarter and product group.',
    plan: plan({
      measures: [margin],
      dimensions: [{ field: day, grain: 'quarter' }, { field: orders('Product group') }],
      period: { field: day, range: { kind: 'relative', span: 'last', unit: 'quarter', n: 6, includeCurrent: true } },
      totals: true,
    }),
    viz: { chart: 'line', direction: 'up', percent: [0] },
  }
}

function stoppedCustomers(orders: ColumnLookup, customers: ColumnLookup): CreateInsightInput {
  const day = orders('Order date')
  return {
    name: 'Top 10 customers by sales',
    description: 'The ten largest customers of the last two years, with their last order.',
    plan: plan({
      measures: [
        sum(orders('Amount'), 'Sales'),
        { kind: 'column', agg: 'max', field: day, label: 'Last order' },
        { kind: 'column', agg: 'countDistinct', field: orders('Order no'), label: 'Orders' },
      ],
      dimensions: [{ field: customers('Name'), topN: 10 }],
      period: { field: day, range: { kind: 'relative', span: 'last', unit: 'month', n: 24, includeCurrent: true } },
      sort: [{ by: { measure: 0 }, dir: 'desc' }],
    }),
    viz: { chart: 'table', direction: 'up' },
  }
}

function unusualCosts(entries: ColumnLookup, accounts: ColumnLookup): CreateInsightInput {
  const day = entries('date')
  return {
    name: 'Costs by month and account',
    description: 'Premises, selling and administration (accounts 5000–6999).',
    plan: plan({
      measures: [sum(entries('amount'), 'Costs')],
      dimensions: [
        { field: day, grain: 'month' },
        { field: accounts('name'), topN: 5 },
      ],
      period: lastMonths(day, 12),
      filters: [{ field: entries('account'), any: [{ op: 'between', from: '5000', to: '6999' }] }],
      totals: true,
    }),
    viz: { chart: 'stackedBar', direction: 'down' },
  }
}
