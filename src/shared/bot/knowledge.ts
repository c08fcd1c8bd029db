import { z } from 'zod'
import { questionSchema } from './conversations'
import { descriptionSchema, nameKey, nameSchema, versionSchema } from '../field-schemas'
import { vizSchema, type Viz } from '../insights'
import { filterSchema, measureSchema, queryPlanSchema, type Filter, type Measure, type QueryPlan } from '../query/plan'

/** What a workspace teaches the bot: its own words, and answers that somebody vouches for. */

export const TERMS_MAX = 500
export const VERIFIED_ANSWERS_MAX = 500
const SYNONYMS_MAX = 10

const isNamedOnce = ({ term, synonyms }: { term: string; synonyms: string[] }): boolean =>
  new Set([term, ...synonyms].map(nameKey)).size === synonyms.length + 1
const NAMED_ONCE_ISSUE = { path: ['synonyms'], message: 'Enter each word once.' }

const termContentSchema = z.strictObject({
  term: nameSchema,
  synonyms: z.array(nameSchema).max(SYNONYMS_MAX).default([]),
  /** For people. */
  definition: descriptionSchema.default(''),
  /** What it is called in the data: a metric, a column, a value, "total amount / number of orders". Empty: nothing. */
  means: z.string().trim().max(300).default(''),
  /** The same as a part of a plan. */
  measure: measureSchema.nullable().default(null),
  filters: z.array(filterSchema).max(10).default([]),
})
export const createTermSchema = termContentSchema.refine(isNamedOnce, NAMED_ONCE_ISSUE)
export const updateTermSchema = termContentSchema
  .extend({ version: versionSchema })
  .refine(isNamedOnce, NAMED_ONCE_ISSUE)
export const deleteTermSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
export type CreateTermInput = z.input<typeof createTermSchema>
export type TermContent = z.output<typeof createTermSchema>

/** A word of the workspace. */
export interface BotTerm {
  id: string
  term: string
  synonyms: string[]
  definition: string
  means: string
  measure: Measure | null
  filters: Filter[]
  updatedByName: string
  version: number
  updatedAt: string
}

const verifiedContentSchema = z.strictObject({
  /** The wording that it is bound to; similar ones are answered by it, too. */
  question: questionSchema,
  plan: queryPlanSchema,
  viz: vizSchema,
  /** Keys of the answer's columns that are shown; absent: all. */
  shown: z.array(z.string().max(20)).max(20).optional(),
})
export const createVerifiedSchema = verifiedContentSchema
export const updateVerifiedSchema = verifiedContentSchema.extend({ version: versionSchema })
export const deleteVerifiedSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** `POST /api/bot/messages/{id}/verify`: binds a wording, the message's own unless said, to its plan. */
export const verifyMessageSchema = z.strictObject({ question: questionSchema.optional() })
export type VerifiedContent = z.output<typeof createVerifiedSchema>

export interface VerifiedAnswer {
  id: string
  question: string
  plan: QueryPlan
  viz: Viz
  shown?: string[]
  /** A column or metric that it names means something else since it was verified. */
  stale: boolean
  verifiedByName: string
  /** ISO instant. */
  verifiedAt: string
  version: number
}
