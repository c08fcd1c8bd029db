import type { CurrencyModeSetting } from './currencies'
import { expressionFieldsOf, leafMeasuresOf } from './plan-fields'
import { isExistsFilter } from './query'
import type { Condition, CurrencyMode, Field, Filter, QueryPlan } from './query'
import type { Column } from './sources'

type LabelledDataset = { id: string; columns: readonly Pick<Column, 'key' | 'label'>[] }

/** Fields that a plan calculates with; those that are only counted are none. */
export const fieldsCalculatedWith = (plan: Pick<QueryPlan, 'measures'>): Field[] =>
  plan.measures.flatMap(leafMeasuresOf).flatMap((leaf) => {
    if (leaf.agg === 'count' || leaf.agg === 'countDistinct') return []
    return leaf.kind === 'expression' ? expressionFieldsOf(leaf.row) : leaf.field ? [leaf.field] : []
  })

/** Columns by which tables of a ledger are known: what accounts stand at, and what was posted to them. */
const BALANCE_COLUMNS = ['account', 'kind', 'amount', 'fiscal_year']
const POSTING_COLUMNS = [
  ['account', 'amount', 'voucher_key'],
  ['account', 'amount', 'period', 'fiscal_year'],
]

/**
 * How amounts are brought to another currency unless a person says otherwise. Of a ledger, what accounts stand at by the
 * last rate of the month, and so postings to accounts of the balance sheet (BAS classes 1 and 2) when only those are asked
 * for; other postings by the month's average. Everything else by the rate of each row's day.
 */
export function defaultCurrencyMode(
  plan: QueryPlan,
  datasets: readonly LabelledDataset[],
  preferred: CurrencyModeSetting,
): CurrencyMode {
  if (preferred !== 'automatic') return preferred
  const [first] = fieldsCalculatedWith(plan)
  const dataset = datasets.find(({ id }) => id === first?.dataset)
  const labels = (dataset?.columns ?? []).map(({ label }) => label.toLowerCase().replaceAll(' ', '_'))
  const has = (words: readonly string[]): boolean => words.every((word) => labels.includes(word))
  if (has(BALANCE_COLUMNS)) return 'closing'
  if (!dataset || !POSTING_COLUMNS.some(has)) return 'transaction'
  return asksForBalance(plan, dataset) ? 'closing' : 'average'
}

function asksForBalance(plan: QueryPlan, { id, columns }: LabelledDataset): boolean {
  const account = columns.find(({ label }) => label.toLowerCase() === 'account')
  const isOf = (filter: Filter): boolean =>
    !isExistsFilter(filter) &&
    filter.field.dataset === id &&
    filter.field.column === account?.key &&
    filter.any.every(isBalanceSheetCondition)
  const inAll = plan.measures.flatMap(leafMeasuresOf).every(({ filter }) => filter?.some(isOf) ?? false)
  return plan.filters.some(isOf) || inAll
}

const BALANCE_SHEET_ACCOUNT = /^[12]\d*$/
function isBalanceSheetCondition(condition: Condition): boolean {
  switch (condition.op) {
    case 'eq':
    case 'startsWith':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.value))
    case 'in':
      return condition.values.every((value) => BALANCE_SHEET_ACCOUNT.test(String(value)))
    case 'between':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.from)) && BALANCE_SHEET_ACCOUNT.test(String(condition.to))
    case 'lt':
      return String(condition.value) <= '3' || String(condition.value) === '3000'
    case 'le':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.value))
    case 'ne':
    case 'gt':
    case 'ge':
    case 'notIn':
    case 'contains':
    case 'empty':
    case 'notEmpty':
      return false
  }
}
