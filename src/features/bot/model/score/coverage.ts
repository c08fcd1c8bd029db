import { isExistsFilter, type Filter, type Measure, type QueryPlan } from '../../../../shared/query/plan'
import type { Field } from '../../../../shared/query/field'
import { planFieldsOf } from '../../../../shared/query/plan-fields'
import type { QuestionParts } from '../parse/ask'
import { isFirstWordOf } from '../parse/value-phrases'
import type { Encoded } from '../parse/encoded'

/** What a question says and its plan does not. */
export interface CoverageInput {
  /** What rules left unread of the question, without its marks. */
  rest: QuestionParts['rest']
  /** The question, folded. */
  words: string
  encoded: Pick<Encoded, 'values' | 'dates'>
  plan: QueryPlan
  /** Whether a column says when, if only by its name: `day`, `year`. */
  saysWhen: (field: Field) => boolean
}
export interface Deduction {
  factor: number
  why: string
}

/** Parts of a plan that answer words of a question. */
interface PlanParts {
  text: string
  filters: Filter[]
  measures: Measure[]
  isSplit: boolean
  isOrdered: boolean
}

const NEGATION =
  /(?:^| )(?:no|not|never|without|nor|none|neither|except|excluding|ingen|inga|inget|inte|aldrig|saknar|utan|ej|utom)(?: |$)/
const SUPERLATIVE =
  /(?:^| )(?:top|bottom|most|least|highest|lowest|largest|smallest|biggest|greatest|best|worst|oldest|youngest|newest|longest|shortest|earliest|latest|cheapest|fewest|flest|mest|minst|storst|hogst|lagst|langst|kortast|aldst|yngst|bast|samst|storsta|hogsta|lagsta|langsta)(?: |$)/
const COMPARISON =
  /(?:^| )(?:(?:more|less|fewer|greater|higher|lower|larger|smaller|older|younger|longer|shorter|heavier|cheaper) than|at least|at most|over|above|below|under|exceeding|mer an|fler an|farre an|mindre an|over|minst|hogst)(?: <?\w*>?)? \d/
const PER = /(?:^| )(?:per|by|each|every|varje|fordelat)(?: |$)/
const SPLIT_NOUN =
  /(?:^| )(?:fordelning|fordelningen|uppdelning)(?: |$)|(?:^| )(?:split|breakdown|mix|distribution) (?:of|between|by|across|over|in|av|mellan|per|pa)(?: |$)/
const SHARE = /(?:^| )(?:percent|percentage|share|proportion|fraction|ratio|procent|andel|andelen)(?: |$)/
const AVERAGE = /(?:^| )(?:average|avg|mean|genomsnitt|genomsnittlig|genomsnittliga|snitt|medel)(?: |$)/
const COUNT = /(?:^| )(?:how many|number of|count of|hur manga|antal|antalet)(?: |$)/
const TOTAL = /(?:^| )(?:total|sum|amount|revenue|summa|totalt|totala|belopp)(?: |$)/
const DISTINCT = /(?:^| )(?:distinct|different|unique|unika|olika)(?: |$)/

/**
 * Words of a question that its plan leaves unsaid, each with what it takes from the score: a condition, a negation or a
 * ranking that was overheard makes another question of it, however well the rest fits.
 */
export function coverageDeductions({ rest, words, encoded, plan, saysWhen }: CoverageInput): Deduction[] {
  const said = saidBy(plan)
  const deductions: Deduction[] = []
  const unless = (isSaid: boolean, factor: number, why: string): void => {
    if (!isSaid) deductions.push({ factor, why })
  }
  const lower = said.text.toLowerCase()
  for (const value of encoded.values) {
    const isThere = [value.text, ...value.matches.map((match) => match.value)].some((each) =>
      lower.includes(quoted(each).toLowerCase()),
    )
    unless(isThere, 0.6, `“${value.text}” is not asked for`)
    const isPart =
      !value.isQuoted &&
      value.matches.length > 0 &&
      value.matches.every(({ how }) => how === 'word' || how === 'prefix')
    unless(
      !isPart || /^\p{Lu}/u.test(value.text) || (plan.kind === 'aggregate' && isHeadOfOne(value)),
      0.7,
      `“${value.text}” is only a part of values`,
    )
  }
  const isNegated = said.filters.some(isNegative)
  if (NEGATION.test(rest)) unless(isNegated, 0.5, 'what is not there is not asked for')
  if (encoded.dates.length > 0) unless(isTimed(plan) || planFieldsOf(plan).some(saysWhen), 0.6, 'no time is asked for')
  if (SUPERLATIVE.test(rest)) unless(said.isOrdered, 0.6, 'nothing is ranked')
  if (COMPARISON.test(rest)) unless(/"(?:gt|ge|lt|le|between)"/.test(said.text), 0.5, 'nothing is compared')
  if (PER.test(rest)) unless(said.isSplit, 0.7, 'nothing is broken down')
  if (SPLIT_NOUN.test(words)) unless(said.isSplit && said.measures.length > 0, 0.6, 'nothing is broken down')
  if (SHARE.test(words)) unless(/"(?:ratio|calc|percent)"/.test(said.text), 0.6, 'no share is asked for')
  if (AVERAGE.test(words))
    unless(/"(?:avg|ratio|calc|grouped|median|function)"/.test(said.text), 0.6, 'no average is asked for')
  if (COUNT.test(rest)) unless(/"(?:count|countDistinct|sum|grouped)"/.test(said.text), 0.5, 'nothing is counted')
  const counts = plan.measures.every((each) => each.kind === 'column' && each.agg.startsWith('count'))
  if (TOTAL.test(counts ? rest.replace(/\b(?:in total|totalt)\b/, ' ') : rest))
    unless(
      /"(?:sum|avg|ratio|calc|metric|grouped|max|min)"/.test(said.text) || plan.kind === 'rows',
      0.75,
      'nothing is added up',
    )
  if (DISTINCT.test(words))
    unless(
      /"countDistinct"|"grouped"/.test(said.text) || said.isSplit || countsRows(plan),
      0.7,
      'nothing is told apart',
    )
  return deductions
}

/** The first word of values of one column only: "massage" of `Massage 60 min` and `Massage 30 min`. */
function isHeadOfOne({ phrase, matches }: Encoded['values'][number]): boolean {
  const columns = new Set(matches.map(({ dataset, column }) => `${dataset}.${column}`))
  return phrase.length >= 4 && columns.size === 1 && matches.every(({ value }) => isFirstWordOf(phrase, value))
}
/** Rows that are told apart by their key are different ones. */
const countsRows = ({ measures, dimensions }: QueryPlan): boolean =>
  dimensions.length === 0 &&
  measures.every((each) => each.kind === 'column' && each.agg === 'count' && each.field === undefined)
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

function saidBy(plan: QueryPlan): PlanParts {
  const text = JSON.stringify(plan)
  const filters = [...plan.filters, ...plan.measures.flatMap(filtersOf)]
  return {
    text,
    filters,
    measures: plan.measures,
    isSplit: plan.dimensions.length > 0 || plan.measures.some(({ kind }) => kind === 'grouped'),
    isOrdered:
      plan.limit !== undefined ||
      plan.sort?.some(({ by }) => !('dimension' in by)) === true ||
      /"(?:min|max|first|last|largest)"/.test(text),
  }
}

function filtersOf(measure: Measure): Filter[] {
  if ('filter' in measure) return measure.filter ?? []
  if (measure.kind === 'ratio') return [measure.over, measure.under].flatMap(filtersOf)
  if (measure.kind === 'calc')
    return [measure.left, measure.right].flatMap((side) => (side.kind === 'number' ? [] : filtersOf(side)))
  if ('of' in measure) return filtersOf(measure.of)
  return []
}

const NEGATIVE = new Set(['ne', 'notIn', 'notContains', 'notStartsWith', 'empty', 'notEmpty'])
function isNegative(filter: Filter): boolean {
  if (isExistsFilter(filter)) return filter.kind === 'notExists' || filter.filters.some(isNegative)
  return filter.any.some(
    ({ op, ...rest }) => NEGATIVE.has(op) || ('value' in rest && (rest.value === 0 || rest.value === false)),
  )
}

/** A period, or a split by units or parts of time. */
const isTimed = ({ period, dimensions }: QueryPlan): boolean =>
  period !== undefined || dimensions.some(({ grain, part }) => grain !== undefined || part !== undefined)
