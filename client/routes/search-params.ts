import { z } from 'zod'
import { SELLABLE_PLAN_IDS } from '../../src/shared/billing/plans'
import { BILLING_INTERVALS } from '../../src/shared/billing/prices'
import { STATEMENT_LANGUAGES, STATEMENT_VIEWS, STATEMENTS } from '../../src/shared/statements/statements'
import { STORY_FILTERS } from '../../src/shared/briefing/briefing'
import { FINDING_KINDS } from '../../src/shared/findings'
import { PAYMENT_METHODS } from '../../src/shared/billing/subscription'

/** A search parameter that is text; anything else in the address is ignored, never an error page. */
export const textParam = z.string().max(2000).optional().catch(undefined)
export const booleanParam = z.boolean().optional().catch(undefined)

/** `w`: the workspace of this tab, kept on every link. */
export const workspaceSearch = z.object({ w: z.string().max(40).optional().catch(undefined) })
export const returnSearch = z.object({ return: textParam })
/** `deleted`: the account was deleted a moment ago. */
export const deletedSearch = z.object({ deleted: booleanParam })
/** `problem`: why a sign-in with a provider came to nothing; `provider`: with which. */
export const problemSearch = z.object({ problem: textParam, provider: textParam })
export const signInSearch = returnSearch.extend(problemSearch.shape)
export const searchOnly = z.object({ q: textParam })
/** `category`: an id, or `none`. */
export const insightsSearch = searchOnly.extend({ category: textParam })
export const detailSearch = z.object({ tab: textParam })
/** Which findings of the briefing are shown. */
export const pilotSearch = z.object({
  state: z.enum(STORY_FILTERS).optional().catch(undefined),
  source: textParam,
  kind: z.enum(FINDING_KINDS).optional().catch(undefined),
})
/** `run`: an old run, by its id. */
export const forecastSearch = detailSearch.extend({ run: textParam })
/** What of a ledger's statements is looked at. */
const statementSearch = z.object({
  statement: z.enum(STATEMENTS).optional().catch(undefined),
  view: z.enum(STATEMENT_VIEWS).optional().catch(undefined),
  language: z.enum(STATEMENT_LANGUAGES).optional().catch(undefined),
  year: textParam,
  through: textParam,
  company: textParam,
  dimension: textParam,
  object: textParam,
  lastYear: booleanParam,
  budget: booleanParam,
  variance: booleanParam,
})
/** `tab`: one of the dataset's, or `statements` of a ledger; `problem`: why its access was not renewed. */
export const sourceSearch = detailSearch.extend({ dataset: textParam, problem: textParam, ...statementSearch.shape })
/** `draft`: consent that was given at a vendor, for the source that is being connected; `problem`: why there is none. */
export const draftSearch = z.object({ draft: textParam, problem: textParam })
export const reportsSearch = searchOnly.extend({ archived: booleanParam })
/** How a report is looked at. Filters and marks are read where they are used: here they are any JSON. */
export const reportSearch = z.object({
  edit: booleanParam,
  page: textParam,
  period: textParam,
  compare: textParam,
  filters: z.unknown().optional(),
  marks: z.unknown().optional(),
  /** A block: what is said of it is open. */
  comments: textParam,
})
export const membersSearch = z.object({
  tab: textParam,
  q: textParam,
  role: textParam,
  status: textParam,
  group: textParam,
})
export const auditSearch = z.object({
  actor: textParam,
  action: textParam,
  entity: textParam,
  from: textParam,
  to: textParam,
})
/** `checkout`: how the payment page was left; says nothing about what was paid. `show`: the plans instead of the overview. */
export const subscriptionSearch = z.object({ checkout: textParam, show: z.enum(['plans']).optional().catch(undefined) })
/** What a new metric begins with: whose rows, and a formula over them. */
export const newMetricSearch = z.object({ dataset: textParam, formula: textParam })
/** What a new forecast is about: a metric, or a figure of an insight. */
export const newForecastSearch = z.object({
  metric: textParam,
  insight: textParam,
  measure: z.number().int().min(0).max(4).optional().catch(undefined),
})
/** What a new insight begins with: data, a metric or a grouping, by its id. */
export const newInsightSearch = z.object({ dataset: textParam, metric: textParam, grouping: textParam })
/** A conversation with the bot by its id, or a question (`q`) that begins one. */
export const botSearch = searchOnly.extend({ conversation: textParam })
/** What is about to be bought; `addOns` is `id:quantity,…`, empty = none. */
export const checkoutSearch = z.object({
  plan: z
    .enum([...SELLABLE_PLAN_IDS, 'legacy'])
    .optional()
    .catch(undefined),
  interval: z.enum(BILLING_INTERVALS).optional().catch(undefined),
  addOns: textParam,
  method: z.enum(PAYMENT_METHODS).optional().catch(undefined),
})
