import type { Viz } from '../insights'
import type { QueryPlan } from '../query/plan'

/** What a question asks for. Each has its own sentence and its own picture. */
export const BOT_INTENTS = [
  ...(['value', 'count', 'breakdown', 'trend', 'compare', 'growth'] as const),
  ...(['top', 'bottom', 'extreme', 'share', 'ratio', 'distribution'] as const),
  ...(['list', 'records', 'without', 'having'] as const),
] as const
export type BotIntent = (typeof BOT_INTENTS)[number]

/** Where a question leads that no plan answers by itself. */
export type BotNextStepKind = 'why' | 'forecast' | 'alert' | 'target' | 'define' | 'data'

/** Why a question has no answer; a refusal is a typed answer, not an error. `limit_reached` and `provider_down` are the app's. */
export const BOT_REFUSALS = [
  ...(['no_metric', 'no_data_for_period', 'not_permitted', 'ambiguous', 'out_of_scope', 'no_relation'] as const),
  ...(['limit_reached', 'provider_down'] as const),
] as const
export type BotRefusal = (typeof BOT_REFUSALS)[number]

/**
 * One part of a plan in words, as a chip that can be changed. `index` is its place among the plan's measures,
 * dimensions, filters or sorts; 0 for the others.
 */
export interface PlanChip {
  kind: 'measure' | 'split' | 'period' | 'compare' | 'filter' | 'having' | 'sort' | 'limit' | 'columns'
  index: number
  label: string
}

/** A question read as a plan. */
export interface BotReading {
  plan: QueryPlan
  intent: BotIntent
  viz: Viz
  /** From 0 to 1: how sure it is that this is what was asked. Answered from 0.8, asked back from 0.5. */
  score: number
  /**
   * Keys of the answer's columns that were asked for, in their order: `d0`, `m1`, `c2`. The others only sort or tell
   * apart. Absent: all of them.
   */
  shown?: string[]
  /** The reading in one line: "Revenue by region, last 3 months". */
  words: string
  chips: PlanChip[]
  /** What was taken for granted: "“Sales” is read as the number of records of Sales." */
  assumptions: string[]
}

export interface BotAnswer extends BotReading {
  kind: 'answer'
  /** The verified answer that its wording is bound to. */
  verified?: { id: string; stale: boolean }
}
/** One question back, with at most four choices. */
export interface BotClarification {
  kind: 'clarify'
  question: string
  choices: (BotReading & { label: string })[]
}
export interface BotRefused {
  kind: 'refuse'
  code: BotRefusal
  message: string
  /** Questions that can be answered instead, at most three. */
  suggestions: string[]
  /** Words that were not understood, as they were written. */
  unknown: string[]
}
/** Leads to another part of the product. */
export interface BotNextStep {
  kind: 'way'
  way: BotNextStepKind
  score: number
  /** The figure it is about, as a plan; null when it is about none. */
  reading: BotReading | null
  /** The thing that was named: a forecast, an alert, a target, a metric, a dataset. */
  thing: {
    kind: 'forecast' | 'alert' | 'target' | 'metric' | 'dataset' | 'column' | 'term'
    id: string
    name: string
  } | null
  /** Of `define`: what it means. */
  definition?: string
  words: string
}
export type BotInterpretation = BotAnswer | BotClarification | BotRefused | BotNextStep

/** Choices of one question back. */
export const BOT_CHOICES_MAX = 4
export const BOT_ANSWER_SCORE = 0.8
export const BOT_CLARIFY_SCORE = 0.5
export const BOT_QUESTION_MAX_CHARS = 1000
