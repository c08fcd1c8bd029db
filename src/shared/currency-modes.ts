import type { DefaultMode } from './currencies'
import { fieldsOfExpr, leavesOf } from './plan-fields'
import { isExists } from './query'
import type { Condition, CurrencyMode, Field, Filter, QueryPlan } from './query'
import type { Column } from './sources'

type Dataset = { id: string; columns: readonly Pick<Column, 'key' | 'label'>[] }

/** Fields that a plan calculates with; those that are only counted are none. */
export const calculatedFields = (plan: Pick<QueryPlan, 'measures'>): Field[] =>
  plan.measures.flatMap(leavesOf).flatMap((leaf) => {
    if (leaf.agg === 'count' || leaf.agg === 'countDistinct') return []
    return leaf.kind === 'expression' ? fieldsOfExpr(leaf.row) : leaf.field ? [leaf.field] : []
  })

/** Columns by which tables of a ledger are known: what accounts stand at, and what was posted to them. */
const STANDING = ['account', 'kind', 'amount', 'fiscal_year']
const POSTED = [
  ['account', 'amount', 'voucher_key'],
  ['account', 'amount', 'period', 'fiscal_year'],
]

/**
 * How amounts are brought to another currency unless a person says otherwise. Of a ledger, what accounts stand at by the
 * last rate of the month, and so postings to accounts of the balance sheet (BAS classes 1 and 2) when only those are asked
 * for; other postings by the month's average. Everything else by the rate of each row's day.
 */
export function usualMode(plan: QueryPlan, datasets: readonly Dataset[], preferred: DefaultMode): CurrencyMode {
  if (preferred !== 'automatic') return preferred
  const [first] = calculatedFields(plan)
  const dataset = datasets.find(({ id }) => id === first?.dataset)
  const labels = (dataset?.columns ?? []).map(({ label }) => label.toLowerCase().replaceAll(' ', '_'))
  const has = (words: readonly string[]): boolean => words.every((word) => labels.includes(word))
  if (has(STANDING)) return 'closing'
  if (!dataset || !POSTED.some(has)) return 'transaction'
  return asksForBalance(plan, dataset) ? 'closing' : 'average'
}

function asksForBalance(plan: QueryPlan, { id, columns }: Dataset): boolean {
  const account = columns.find(({ label }) => label.toLowerCase() === 'account')
  const isOf = (filter: Filter): boolean =>
    !isExists(filter) &&
    filter.field.dataset === id &&
    filter.field.column === account?.key &&
    filter.any.every(isBalance)
  const inAll = plan.measures.flatMap(leavesOf).every(({ filter }) => filter?.some(isOf) ?? false)
  return plan.filters.some(isOf) || inAll
}

const BALANCE = /^[12]\d*$/
function isBalance(condition: Condition): boolean {
  switch (condition.op) {
    case 'eq':
    case 'startsWith':
      return BALANCE.test(String(condition.value))
    case 'in':
      return condition.values.every((value) => BALANCE.test(String(value)))
    case 'between':
      return BALANCE.test(String(condition.from)) && BALANCE.test(String(condition.to))
    case 'lt':
      return String(condition.value) <= '3' || String(condition.value) === '3000'
    case 'le':
      return BALANCE.test(String(condition.value))
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
