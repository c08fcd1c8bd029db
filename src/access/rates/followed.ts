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
 * decided over all of its rows, so that the questions of one comparison are in one currency.
 * @throws ProductError `mixed_currency` in words that say what to do, where the plan does not convert
 */
export async function followedCurrency(at: At, followed: Followed): Promise<QueryPlan['currency']> {
  const { currency, measure, filters, dataset } = followed
  if (currency) return currency
  const { deps, scope } = at
  const figures = figuresFor(deps, at)
  const asked: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [], filters },
    ...(dataset === undefined ? {} : { dataset }),
  }
  const plan = await figures.resolved(asked)
  const datasets = await deps.warehouse(scope).datasets()
  if (!mayMix(plan, datasets)) return undefined
  const shown = await rateStore(deps.db, scope).shown(deps.clock.now())
  // A metric that says how it is converted always is.
  if (shown.allowed && plan.measures.flatMap(leavesOf).some(({ mode }) => mode !== undefined)) return undefined
  try {
    await figures.answer(asked)
    return undefined
  } catch (error) {
    if (!(error instanceof ProductError) || error.code !== 'mixed_currency') throw error
    if (!shown.allowed) throw needsPlan(error)
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

function needsPlan({ details }: ProductError): ProductError {
  const found: unknown = details['currencies']
  const codes = Array.isArray(found) && found.length > 0 ? ` (${found.join(', ')})` : ''
  const plan = PLANS.find(({ id }) => id === requiredPlan('multiCurrency'))?.name ?? 'Professional'
  const message = `Its amounts are in several currencies${codes}, which are never added as they are. Follow one of them by a filter, or take the ${plan} plan: it converts them.`
  return new ProductError('mixed_currency', details, message)
}
