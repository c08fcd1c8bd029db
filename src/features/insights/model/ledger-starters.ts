import type { CreateInsightInput } from '../../../shared/insights'
import { TERMS } from '../../../shared/terms'
import type { Dimension, QueryPlanInput } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { RelatedTable } from '../../../shared/data-sources/date-fields'
import {
  ledgerFigures,
  type AccountMeaning,
  type LedgerFigure,
  type LedgerFigureKind,
} from '../../../shared/statements/ledger-figures'
import type { Column } from '../../../shared/data-sources/data-sources'
import { hasYearBefore, type DayRange } from './covered-years'

export type LedgerStarterKind = 'result' | 'turnover' | 'costs' | 'costTrend' | 'cash'
interface LedgerStarter {
  kind: LedgerStarterKind
  input: CreateInsightInput
}

const NEWEST_MONTHS = { kind: 'relative', span: 'last', unit: 'month', n: 12 } as const

/** @param date the day of the entries, which the newest twelve months are of */
function ledgerPlan(date: Field, { name, measure, filters }: LedgerFigure, dimensions: Dimension[]): QueryPlanInput {
  return {
    v: 1,
    kind: 'aggregate',
    measures: [{ ...measure, label: name }],
    dimensions,
    period: { field: date, range: NEWEST_MONTHS },
    filters,
    totals: true,
  }
}

/** How a figure of the books ran. */
export const figureByMonth = (date: Field, figure: LedgerFigure): CreateInsightInput => ({
  ...{ name: `${figure.name} by month`, description: figure.accounts },
  plan: ledgerPlan(date, figure, [{ field: date, grain: 'month' }]),
  viz: { chart: 'bar', direction: figure.direction },
})

/** For books that go back two whole years. */
function againstYearBefore(date: Field, figure: LedgerFigure): CreateInsightInput {
  const plan = ledgerPlan(date, figure, [{ field: date, grain: 'month' }])
  return {
    ...{ name: `${figure.name} vs ${TERMS.previousYear.toLowerCase()}`, description: figure.accounts },
    plan: { ...plan, period: { field: date, range: NEWEST_MONTHS, compare: 'year' } },
    viz: { chart: 'line', direction: figure.direction },
  }
}

const LARGEST_ACCOUNTS = 10
const ACCOUNTS_IN_STACK = 5

function largestCosts(date: Field, figure: LedgerFigure, account: Dimension): CreateInsightInput {
  const plan = ledgerPlan(date, figure, [{ ...account, topN: LARGEST_ACCOUNTS }])
  return {
    ...{ name: 'Largest costs by account', description: figure.accounts },
    plan: account.label ? { ...plan, v: 3 } : plan,
    viz: { chart: 'bar', direction: figure.direction },
  }
}

/** A stack has one name a part: numbers of accounts would not tell what it is. */
const costsByMonth = (date: Field, figure: LedgerFigure, account: Field): CreateInsightInput => ({
  ...{ name: 'Costs by month and account', description: figure.accounts },
  plan: ledgerPlan(date, figure, [
    { field: date, grain: 'month' },
    { field: account, topN: ACCOUNTS_IN_STACK },
  ]),
  viz: { chart: 'stackedBar', direction: figure.direction },
})

/** What the accounts are called, in the table that entries point at. */
function accountName(related: readonly (readonly RelatedTable[])[]): Field | null {
  for (const { id, columns, via } of related.flat()) {
    const name = columns.find(({ label, mask }) => label === 'name' && mask === undefined)
    if (!name || !columns.some(({ label }) => label === 'account_key')) continue
    return { dataset: id, column: name.key, ...(via.length > 0 ? { via: [...via] } : {}) }
  }
  return null
}

export interface LedgerProfile {
  id: string
  columns: readonly Column[]
  days: DayRange | null
  related: readonly (readonly RelatedTable[])[]
  /** What the accounts of the workspace mean. */
  accounts: AccountMeaning
}

/** First questions of a ledger: its entries add up to nothing, so they have their own; its other tables have none. Null: no ledger. */
export function ledgerStarters({ id, columns, days, related, accounts }: LedgerProfile): LedgerStarter[] | null {
  const figures = ledgerFigures({ id, columns }, accounts)
  if (!figures) return null
  const [day, number] = ['date', 'account'].map((label) => columns.find((column) => column.label === label))
  if (figures.length === 0 || !day || !number || !days) return []
  const [date, account] = [day, number].map(({ key }): Field => ({ dataset: id, column: key }))
  if (!date || !account) return []
  const name = accountName(related)
  const starter = (kind: LedgerStarterKind, of: LedgerFigureKind, make: (figure: LedgerFigure) => CreateInsightInput) =>
    figures.filter((figure) => figure.kind === of).map((figure): LedgerStarter => ({ kind, input: make(figure) }))
  const revenue = hasYearBefore(days) ? againstYearBefore : figureByMonth
  return [
    ...starter('result', 'resultBeforeTax', (figure) => figureByMonth(date, figure)),
    ...starter('turnover', 'revenue', (figure) => revenue(date, figure)),
    ...starter('costs', 'costs', (figure) =>
      largestCosts(date, figure, { field: account, ...(name ? { label: name } : {}) }),
    ),
    ...starter('cash', 'cash', (figure) => figureByMonth(date, figure)),
    ...starter('costTrend', 'costs', (figure) => costsByMonth(date, figure, name ?? account)),
  ]
}
