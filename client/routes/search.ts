import { z } from 'zod'
import { SELLABLE_PLAN_IDS } from '../../src/shared/plans'
import { INTERVALS } from '../../src/shared/prices'
import { PAY_METHODS } from '../../src/shared/subscription'

/** A search parameter that is text; anything else in the address is ignored, never an error page. */
export const text = z.string().max(2000).optional().catch(undefined)
export const flag = z.boolean().optional().catch(undefined)

/** `w`: the workspace of this tab, kept on every link. */
export const workspaceSearch = z.object({ w: z.string().max(40).optional().catch(undefined) })
export const returnSearch = z.object({ return: text })
/** `deleted`: the account was deleted a moment ago. */
export const deletedSearch = z.object({ deleted: flag })
/** `problem`: why a sign-in with a provider came to nothing; `provider`: with which. */
export const problemSearch = z.object({ problem: text, provider: text })
export const signInSearch = returnSearch.extend(problemSearch.shape)
export const searchOnly = z.object({ q: text })
/** `category`: an id, or `none`. */
export const insightsSearch = searchOnly.extend({ category: text })
export const detailSearch = z.object({ tab: text })
/** `run`: an old run, by its id. */
export const forecastSearch = detailSearch.extend({ run: text })
export const sourceSearch = detailSearch.extend({ dataset: text })
export const membersSearch = z.object({ tab: text, q: text, role: text, status: text, group: text })
export const auditSearch = z.object({ actor: text, action: text, entity: text, from: text, to: text })
/** `checkout`: how the payment page was left; says nothing about what was paid. */
export const subscriptionSearch = z.object({ checkout: text })
/** What a new metric begins with: whose rows, and a formula over them. */
export const newMetricSearch = z.object({ dataset: text, formula: text })
/** What a new forecast is about: a metric, or a figure of an insight. */
export const newForecastSearch = z.object({
  metric: text,
  insight: text,
  measure: z.number().int().min(0).max(4).optional().catch(undefined),
})
/** What a new insight begins with: data, a metric or a grouping, by its id. */
export const newInsightSearch = z.object({ dataset: text, metric: text, grouping: text })
/** What is about to be bought; `addOns` is `id:quantity,…`, empty = none. */
export const checkoutSearch = z.object({
  plan: z
    .enum([...SELLABLE_PLAN_IDS, 'legacy'])
    .optional()
    .catch(undefined),
  interval: z.enum(INTERVALS).optional().catch(undefined),
  addOns: text,
  method: z.enum(PAY_METHODS).optional().catch(undefined),
})
