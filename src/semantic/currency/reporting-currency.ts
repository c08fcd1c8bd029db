import { rateStore } from './rate-store'
import { queryService, type QueryContext } from '../query-service'
import { amountCurrencyOf, fieldsCalculatedWith, defaultCurrencyMode } from '../../shared/currencies'
import { ProductError } from '../../shared/errors'
import { leafMeasuresOf } from '../../shared/query/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import { PLANS, requiredPlan } from '../../shared/billing/plans'
import type { CatalogueDataset } from '../../warehouse/contract'

/** A figure that is followed over time. */
export interface MonitoredMeasure {
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
export async function reportingCurrency(
  context: QueryContext,
  monitoredMeasure: MonitoredMeasure,
): Promise<QueryPlan['currency']> {
  const { currency, measure, filters, dataset } = monitoredMeasure
  const { deps, scope } = context
  const shown = await rateStore(deps.db, scope).settings(deps.clock.now())
  if (currency && !shown.allowed) throw conversionPlanRequired(`Needs conversion to ${currency.code}.`)
  if (currency) return currency
  const figures = queryService(deps, context)
  const asked: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [], filters },
    ...(dataset === undefined ? {} : { dataset }),
  }
  const plan = await figures.resolve(asked)
  const hasMetricModes = plan.measures.flatMap(leafMeasuresOf).some(({ mode }) => mode !== undefined)
  // A metric that says how it is converted always is.
  if (hasMetricModes && shown.allowed) return undefined
  const datasets = await deps.warehouse(scope).datasets()
  if (!hasMetricModes && !mayHaveSeveralCurrencies(plan, datasets)) return undefined
  try {
    const { columns } = await figures.answer(asked)
    const format = columns[0]?.format
    if (hasMetricModes && format?.style === 'currency' && format.currency !== shown.code)
      throw conversionPlanRequired(`Needs conversion to ${shown.code}.`)
    return undefined
  } catch (error) {
    if (!(error instanceof ProductError) || error.code !== 'mixed_currency' || hasMetricModes) throw error
    if (!shown.allowed) throw conversionPlanRequired(mixedCurrencyMessage(error), error.details)
    return { code: shown.code, mode: defaultCurrencyMode(plan, datasets, shown.mode) }
  }
}

/** Whether amounts of the plan may be in more than one currency. */
function mayHaveSeveralCurrencies(plan: QueryPlan, datasets: readonly CatalogueDataset[]): boolean {
  const codes = new Set<string>()
  for (const field of fieldsCalculatedWith(plan)) {
    const columns = datasets.find(({ id }) => id === field.dataset)?.columns ?? []
    const column = columns.find(({ key }) => key === field.column)
    const money = column && amountCurrencyOf(column, columns)
    if (!money) continue
    if ('column' in money) return true
    codes.add(money.code)
  }
  return codes.size > 1
}

function mixedCurrencyMessage({ details }: ProductError): string {
  const found: unknown = details['currencies']
  const codes = Array.isArray(found) && found.length > 0 ? ` (${found.join(', ')})` : ''
  return `Mixed currencies${codes} can’t be added.`
}

function conversionPlanRequired(why: string, details: ProductError['details'] = { currencies: [] }): ProductError {
  const plan = PLANS.find(({ id }) => id === requiredPlan('multiCurrency'))?.name ?? 'Professional'
  const message = `${why} Filter to one currency, or upgrade to ${plan}.`
  return new ProductError('mixed_currency', details, message)
}
