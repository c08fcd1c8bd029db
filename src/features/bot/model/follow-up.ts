import { foldText } from '../../../shared/bot/fold-text'
import { CHARTS, type Viz } from '../../../shared/insights'
import { isSameField } from '../../../shared/query/plan-fields'
import { isExistsFilter } from '../../../shared/query/plan'
import { askOf } from './parse/clauses'
import { parseFigures } from './parse/figure-rules'
import { deduct, fieldOf, Unreadable, type Context } from './plan/context'
import { isFigure, measureOfItem } from './plan/items'
import { nameColumns } from './plan/entities'
import { readConditions, existsFilters } from './conditions/where'
import { splitsOf } from './plan/splits'
import { lexiconOf } from './schema/lexicon'
import type { Encoded } from './parse/encoded'
import type { InterpretInput, PreviousQuestion } from './contract'
import type { Dimension, Filter, QueryPlan } from '../../../shared/query/plan'

/** The plan before, changed by what was said; null where the question stands on its own. */
export interface Changed {
  plan: QueryPlan
  viz: Viz
  shown: string[] | null
  score: number
}

const OPENING =
  /^(?:and|what about|how about|only|just|now|then|same|the same|but|ok|och|men|hur ar det med|bara|endast|by|per|as|top|bottom|compare|compared|vs|versus|in|for|last|this|excluding|except|without|split|broken|break|show|as a|sort|order|all time|i|for|efter|som|jamfor|forra|from|since|during|limit|instead|with|sorted|not)\b/
const WORDS_MAX = 9

/** Whether a question may lean on the one before: short, and opened by a word that continues. */
export function leansOnPrevious(question: string): boolean {
  const text = foldText(question)
  return text.split(' ').length <= WORDS_MAX && OPENING.test(text)
}

const CHART_WORDS: readonly [RegExp, Viz['chart']][] = [
  [/\b(?:bars?|bar chart|columns?|staplar|stapeldiagram)\b/, 'bar'],
  [/\b(?:lines?|line chart|curve|linje|linjediagram)\b/, 'line'],
  [/\b(?:area)\b/, 'area'],
  [/\b(?:table|tabell)\b/, 'table'],
  [/\b(?:stacked|staplade)\b/, 'stackedBar'],
  [/\b(?:number|key figure|figure|siffra|nyckeltal)\b/, 'number'],
  [/\b(?:waterfall|vattenfall)\b/, 'waterfall'],
  [/\b(?:heat ?map)\b/, 'heatMap'],
  [/\b(?:pivot)\b/, 'pivot'],
]
/** "as bars", "as a table": the picture that is asked for. */
export function chartAsked(question: string): Viz['chart'] | null {
  const text = foldText(question)
  const found = /^(?:show (?:it |this |that |them )?|and )?(?:as|in|into|som|to) (?:a |an |en |ett )?(.+)$/.exec(
    text,
  )?.[1]
  const chart = found === undefined ? undefined : CHART_WORDS.find(([words]) => words.test(found))?.[1]
  return chart !== undefined && CHARTS.includes(chart) ? chart : null
}

/** Reads a follow-up as a change of the plan before. @returns null where something of it is not understood */
export function changedPlan(
  encoded: Encoded,
  words: string,
  input: InterpretInput & { previous: PreviousQuestion },
): Changed | null {
  const { previous } = input
  const lexicon = lexiconOf(input.vocabulary)
  const home = previous.plan.dataset === undefined ? undefined : lexicon.schema.dataset(previous.plan.dataset)
  if (!home) return null
  parseFigures(encoded)
  const ask = askOf(encoded)
  const context: Context = {
    lexicon,
    schema: lexicon.schema,
    encoded,
    ask,
    calendar: input.calendar,
    home,
    words,
    deductions: [],
    assumptions: [],
    named: new Set(),
  }
  if (encoded.unknown.length > 0) deduct(context, 0.7 ** encoded.unknown.length, 'unknown words')
  try {
    const plan = change(context, previous.plan, words)
    if (JSON.stringify(plan) === JSON.stringify(previous.plan)) return null
    const score = context.deductions.reduce((product, { factor }) => product * factor, 0.97)
    const isReshaped =
      plan.dimensions.length !== previous.plan.dimensions.length ||
      plan.measures.length !== previous.plan.measures.length
    return { plan, viz: previous.viz, shown: isReshaped ? null : (previous.shown ?? null), score }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

function change(context: Context, plan: QueryPlan, words: string): QueryPlan {
  const conditions = readConditions(context)
  const added: Filter[] = [...conditions.filters, ...existsFilters(context, conditions)]
  const splits = splitsOf(context).flatMap((split): Dimension[] =>
    split.kind === 'dimension' ? [split.dimension] : split.columns.map((column) => ({ field: fieldOf(column) })),
  )
  const listed = context.ask.outputs.flatMap((item) => {
    if (item.kind !== 'name' || isFigure(context, item)) return []
    return nameColumnsOf(context, item.at)
  })
  const figures = context.ask.outputs.filter((item) => isFigure(context, item))
  const next: QueryPlan = { ...plan, filters: withFilters(plan.filters, added) }
  if (conditions.period) next.period = conditions.period
  if (/\b(?:all time|no period|hela tiden)\b/.test(words)) delete next.period
  if (conditions.having.length > 0 || conditions.either)
    throw new Unreadable('out_of_scope', 'Enter it as a new question.')
  if (next.kind === 'aggregate') {
    if (figures.length > 0) next.measures = figures.map((item) => measureOfItem(context, item))
    const wanted = [...splits, ...(splits.length === 0 && /^(?:by|per|efter|split)/.test(words) ? listed : [])]
    if (wanted.length > 0) next.dimensions = withSplits(plan.dimensions, wanted)
    // What is named and has no place in the plan before makes a question of its own.
    if (listed.some((named) => !wanted.includes(named)))
      throw new Unreadable('out_of_scope', 'Enter it as a new question.')
    next.sort = sortOf(context, next)
    if (next.sort.length === 0) delete next.sort
  }
  const compare = compareOf(context)
  if (compare !== null) {
    if (!next.period) throw new Unreadable('no_metric', 'There is no period to compare.')
    next.period = { ...next.period, compare }
  }
  const top = context.ask.rank
  if (top?.n != null) next.limit = top.n
  return next
}

function nameColumnsOf(context: Context, at: number): Dimension[] {
  const refs = context.encoded.mentions[at]?.matches ?? []
  const [best] = refs
  if (best?.ref.kind === 'column') return [{ field: { dataset: best.ref.dataset, column: best.ref.column } }]
  const dataset = best?.ref.kind === 'dataset' ? context.schema.dataset(best.ref.dataset) : undefined
  return dataset ? nameColumns(dataset).map((column) => ({ field: fieldOf(column) })) : []
}

/** A condition on a column takes the place of the one before it. */
function withFilters(before: readonly Filter[], added: readonly Filter[]): Filter[] {
  const replaced = (filter: Filter): boolean =>
    added.some((each) =>
      isExistsFilter(each) || isExistsFilter(filter)
        ? JSON.stringify(each) === JSON.stringify(filter)
        : isSameField(each.field, filter.field) && each.part === filter.part,
    )
  return [...before.filter((filter) => !replaced(filter)), ...added]
}
/** A unit of time takes the place of one; a kind of thing takes the place of one. */
function withSplits(before: readonly Dimension[], wanted: readonly Dimension[]): Dimension[] {
  const isTime = ({ grain, part }: Dimension): boolean => grain !== undefined || part !== undefined
  const kept = before.filter((dimension) => !wanted.some((each) => isTime(each) === isTime(dimension)))
  return [...kept, ...wanted].toSorted((a, b) => Number(isTime(b)) - Number(isTime(a))).slice(0, 3)
}
function sortOf(context: Context, plan: QueryPlan): NonNullable<QueryPlan['sort']> {
  if (plan.dimensions.length === 0 || plan.measures.length === 0)
    return plan.dimensions.length === 0 ? [] : (plan.sort ?? [])
  const { rank, sorts } = context.ask
  const said = sorts.find(({ dir }) => dir !== null)
  const isTime = plan.dimensions[0]?.grain !== undefined || plan.dimensions[0]?.part !== undefined
  if (rank?.n == null && isTime) return [{ by: { dimension: 0 }, dir: said?.dir ?? 'asc' }]
  return [{ by: { measure: 0 }, dir: rank?.dir ?? said?.dir ?? 'desc' }]
}
function compareOf({ ask, encoded }: Context): 'previous' | 'year' | null {
  const spec = ask.dates.map((at) => encoded.dates[at]).find((each) => each?.kind === 'compare')
  return spec?.kind === 'compare' ? spec.with : null
}
