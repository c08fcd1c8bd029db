import { wordsAt, type Context } from '../plan/context'
import type { Deduction } from './coverage'
import { isDoneHere } from './done-here'
import { isVerb } from '../parse/encoded'
import type { Ref } from '../schema/ref'
import { isExistsFilter, type Measure, type QueryPlan } from '../../../../shared/query/plan'
import type { FollowedRelation } from '../../../../shared/query/relation-paths'
import { planFieldsOf } from '../../../../shared/query/plan-fields'

/** Names of a question that its plan makes nothing of: what was overheard may have been the condition that matters. */
export function overheardNames(context: Context, plan: QueryPlan): Deduction[] {
  const { encoded } = context
  const deductions: Deduction[] = []
  encoded.mentions.forEach(({ matches }, at) => {
    // "The amount traded": a verb that a heading has, too.
    if (isVerb(context.encoded, at)) return
    // Of a definition's own words the figure is made.
    if (!encoded.source.includes(`<m${at}>`)) return
    const meant = matches.filter(({ score }, i) => i === 0 || score >= MEANT_SCORE)
    if (meant.length > 0 && !meant.some(({ ref }) => isSaid(context, plan, ref)))
      deductions.push({ factor: 0.78, why: `“${wordsAt(context, at)}” is not asked for` })
  })
  deductions.push(...unusedTerms(context, plan))
  const detour = detourFactor(context, plan)
  if (detour < 1) deductions.push({ factor: detour, why: 'counted by a table that only points at it' })
  if (/^(?:who|vem|vilka personer) /.test(context.words) && showsOnlyKeys(context, plan))
    deductions.push({ factor: 0.75, why: 'a key is no name' })
  return deductions
}
const MEANT_SCORE = 0.6
/** Of two figures of the business that are named each has its part of the plan: "what costs have we had of our sales". */
function unusedTerms({ encoded }: Context, plan: QueryPlan): Deduction[] {
  const text = JSON.stringify(plan)
  const said = encoded.mentions.flatMap(({ matches: [best] }, at) =>
    best?.ref.kind === 'term' && best.ref.entry.measure && encoded.source.includes(`<m${at}>`) ? [best.ref.entry] : [],
  )
  const terms = [...new Set(said)]
  if (terms.length < 2) return []
  return terms.flatMap(({ term, measure, elsewhere = [] }) =>
    measure && ![measure, ...elsewhere].some((each) => bodiesOf(each).every((body) => text.includes(body)))
      ? [{ factor: 0.7, why: `“${term}” is not asked for` }]
      : [],
  )
}
/** What a figure is made of, however it is put together. */
function bodiesOf(measure: Measure): string[] {
  if (measure.kind === 'ratio') return [measure.over, measure.under].flatMap(bodiesOf)
  if (measure.kind === 'expression')
    return [JSON.stringify(measure.row), ...(measure.filter ?? []).map((each) => JSON.stringify(each))]
  if (measure.kind === 'column' && measure.field)
    return [JSON.stringify(measure.field), ...(measure.filter ?? []).map((each) => JSON.stringify(each))]
  return []
}

function isSaid(context: Context, plan: QueryPlan, ref: Ref): boolean {
  const { schema } = context
  const text = JSON.stringify(plan)
  // What lies on the way to what is asked is said by it.
  const between = new Set(
    planFieldsOf(plan).flatMap(
      ({ dataset }) => schema.path(context.home.id, dataset)?.map(({ to }) => to.dataset) ?? [],
    ),
  )
  // Rows that link two things stand for what they link to.
  const existing = new Set(plan.filters.flatMap((filter) => (isExistsFilter(filter) ? [filter.dataset] : [])))
  const hasDataset = (id: string): boolean =>
    between.has(id) ||
    text.includes(`"dataset":"${id}"`) ||
    schema.vocabulary.relations.some(({ from, to }) => to.dataset === id && existing.has(from.dataset)) ||
    schema.vocabulary.relations.some(
      ({ from, to }) => to.dataset === id && text.includes(`"dataset":"${from.dataset}","column":"${from.key}"`),
    )
  if (ref.kind === 'dataset') return hasDataset(ref.dataset) || isDoneHere(context, ref.dataset)
  if (ref.kind !== 'column' || existing.has(ref.dataset)) return true
  if (text.includes(`"dataset":"${ref.dataset}","column":"${ref.column}"`)) return true
  // A key stands for its thing, however the plan tells it.
  const column = schema.column(ref.dataset, ref.column)
  if (column === undefined || (column.isName && hasDataset(ref.dataset))) return true
  const pointed = schema.vocabulary.relations.filter(
    ({ from }) => from.dataset === ref.dataset && from.key === ref.column,
  )
  return (
    column.isKey &&
    (pointed.length === 0
      ? column.isUnique && hasDataset(ref.dataset)
      : pointed.some(({ to }) => hasDataset(to.dataset)))
  )
}

/** Things counted by the keys of rows that point at them, where they could be counted themselves: some have no such row. */
function detourFactor({ schema, home, encoded, words }: Context, plan: QueryPlan): number {
  const isNamed = encoded.mentions.some(
    ({ matches: [best] }) => best?.ref.kind === 'dataset' && best.ref.dataset === home.id,
  )
  if (plan.kind !== 'aggregate' || isNamed) return 1
  const text = JSON.stringify(plan.measures)
  const factors = schema.vocabulary.relations.map(({ from, to, further }) => {
    const key = `{"dataset":"${from.dataset}","column":"${from.key}"}`
    const isCounted = !further && from.dataset === home.id && text.includes(`"agg":"countDistinct","field":${key}`)
    if (!isCounted || to.dataset === home.id) return 1
    const others = planFieldsOf(plan).filter(({ dataset, column }) => dataset !== home.id || column !== from.key)
    // What has no such row is left out of the count, and so of those that lack something.
    const leavesOut =
      isShort(schema, from, to.dataset) &&
      plan.measures.length > 1 &&
      !/\b(?:unique|distinct|different|unika|olika)\b/.test(words)
    if (leavesOut) return 0.75
    if (others.some(({ dataset }) => dataset === home.id))
      return /"op":"(?:empty|ne|notIn)"/.test(JSON.stringify(plan.filters)) ? 0.75 : 1
    const isAboutThem = others.every(
      ({ dataset }) => dataset === to.dataset || schema.path(to.dataset, dataset) !== null,
    )
    return isAboutThem ? (others.length > 0 ? 0.7 : 0.9) : 1
  })
  return Math.min(1, ...factors)
}

/** Whether some things have no such row. */
function isShort(schema: Context['schema'], from: FollowedRelation['from'], things: string): boolean {
  const distinct = schema.column(from.dataset, from.key)?.source.distinct
  return distinct !== undefined && distinct < (schema.dataset(things)?.source.rowCount ?? 0)
}

function showsOnlyKeys({ schema }: Context, plan: QueryPlan): boolean {
  const shown = plan.kind === 'rows' ? (plan.columns ?? []) : plan.dimensions.map(({ field }) => field)
  return shown.length > 0 && shown.every(({ dataset, column }) => schema.column(dataset, column)?.isKey === true)
}
