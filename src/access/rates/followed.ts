import { rateStore } from './read'
import { figuresFor } from '../figures'
import type { Scope } from '../scope'
import type { Deps } from '../../deps'
import { moneyIn } from '../../shared/currencies'
import { calculatedFields, usualMode } from '../../shared/currency-modes'
import { ProductError } from '../../shared/errors'
import { leavesOf } from '../../shared/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query'
import { PLANS, requiredPlan } from '../../shared/plans'
import type { Calendar, CatalogueDataset } from '../../warehouse/contract'

interface At {
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>
  scope: Scope
  calendar: Calendar
}
/** A figure that is followed over time. */
export interface Followed {
  measure: Measure
  filters: QueryPlan['filters']
  dataset?: string | undefined
  currency?: QueryPlan['currency']
}

/**
 * The currency that a followed figure is brought to: its own, else the workspace's where its amounts are in several. It is
 * decided over all of its rows, so that the questions of one comparison are in one currency. What was followed in one is
 * never followed in another without a word: limits and targets were meant in it.
 * @throws ProductError `mixed_currency` in words that say what to do, where the subscription does not convert
 */
export async function followedCurrency(at: At, followed: Followed): Promise<QueryPlan['currency']> {
  const { currency, measure, filters, dataset } = followed
  const { deps, scope } = at
  const shown = await rateStore(deps.db, scope).shown(deps.clock.now())
  if (currency && !shown.allowed) throw needsPlan(`It is followed in ${currency.code}.`)
  if (currency) return currency
  const figures = figuresFor(deps, at)
  const asked: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [], filters },
    ...(dataset === undefined ? {} : { dataset }),
  }
  const plan = await figures.resolved(asked)
  const ways = plan.measures.flatMap(leavesOf).some(({ mode }) => mode !== undefined)
  // A metric that says how it is converted always is.
  if (ways && shown.allowed) return undefined
  const datasets = await deps.warehouse(scope).datasets()
  if (!ways && !mayMix(plan, datasets)) return undefined
  try {
    const { columns } = await figures.answer(asked)
    const format = columns[0]?.format
    if (ways && format?.style === 'currency' && format.currency !== shown.code)
      throw needsPlan(`It is followed in ${shown.code}.`)
    return undefined
  } catch (error) {
    if (!(error instanceof ProductError) || error.code !== 'mixed_currency' || ways) throw error
    if (!shown.allowed) throw needsPlan(severalWords(error), error.details)
    return { code: shown.code, mode: usualMode(plan, datasets, shown.mode) }
  }
}

/** Whether amounts of the plan may be in more than one currency. */
function mayMix(plan: QueryPlan, datasets: readonly CatalogueDataset[]): boolean {
  const codes = new Set<string>()
  for (const field of calculatedFields(plan)) {
    const columns = datasets.find(({ id }) => id === field.dataset)?.columns ?? []
    const column = columns.find(({ key }) => key === field.column)
    const money = column && moneyIn(column, columns)
    if (!money) continue
    if ('column' in money) return true
    codes.add(money.code)
  }
  return codes.size > 1
}

function severalWords({ details }: ProductError): string {
  const found: unknown = details['currencies']
  const codes = Array.isArray(found) && found.length > 0 ? ` (${found.join(', ')})` : ''
  return `Its amounts are in several currencies${codes}, which are never added as they are.`
}

function needsPlan(why: string, details: ProductError['details'] = { currencies: [] }): ProductError {
  const plan = PLANS.find(({ id }) => id === requiredPlan('multiCurrency'))?.name ?? 'Professional'
  const message = `${why} Follow amounts of one currency as they are, or take the ${plan} plan: it converts them.`
  return new ProductError('mixed_currency', details, message)
}
