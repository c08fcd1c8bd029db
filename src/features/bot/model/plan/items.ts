import { columnAt, columnOfRef, meaningsOf, Unreadable, wordsAt, type Context } from './context'
import { datasetAt, isPlural, nameColumns, peopleOf } from './entities'
import { measureOf, namedFigure } from '../figures/figures'
import type { Item } from '../parse/ask'
import type { Measure, QueryPlan } from '../../../../shared/query/plan'
import { isRevenueWord } from '../figures/revenue'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** A plan and which of its columns were asked for. */
export interface Assembled {
  plan: QueryPlan
  shown: string[] | null
}
export const MEASURES_MAX = 5
export const DIMENSIONS_MAX = 3

/** Whether a name is a figure where it stands alone: a number column, a metric, a term that is defined as one. */
export function isFigure(context: Context, item: Item): boolean {
  if (item.kind === 'figure') return true
  if (item.kind === 'date') return false
  const [best] = meaningsOf(context, item.at)
  if (!best) return false
  if (best.ref.kind === 'metric') return true
  if (best.ref.kind === 'term') return context.encoded.defined.has(best.ref.entry.term)
  const column = columnOfRef(context, best.ref)
  return column !== undefined && column.isNumeric && !column.isKey && (column.isAdditive || column.isMoney)
}
export const measureOfItem = (context: Context, item: Item): Measure => {
  if (item.kind !== 'figure') return namedFigure(context, item.at)
  const ask = context.encoded.figures[item.at]
  if (!ask) throw new Unreadable('no_metric', 'There is no such figure.')
  return measureOf(context, ask)
}

/** Whether a ranked column is the entity's own, so that its rows are sorted and nothing is added up. */
export function isOfEntity(context: Context, at: number): boolean {
  const [best] = meaningsOf(context, at)
  const column = best && columnOfRef(context, best.ref)
  if (!column) return false
  // "The customer with the most orders": the number of an order is counted, and ranks by no size.
  if (
    column.isKey &&
    !column.isUnique &&
    column.source.role === 'id' &&
    context.schema.vocabulary.relations.length === 0
  )
    return false
  // "What is the highest fee, and who got it? Return the name and the fee": of one row.
  if (column.dataset === context.home.id && asksExtremeItself(context, column)) return true
  if (addsUpFor(context, at, column)) return false
  const entity = entityOf(context)
  if (entity) return column.dataset === entity.id || context.schema.path(entity.id, column.dataset) !== null
  // "Top five countries by revenue": what repeats from row to row is ranked by what its rows add up to.
  const { rank } = context.ask
  const ranked = rank?.entity === null || rank?.entity === undefined ? undefined : columnAt(context, rank.entity)
  if (ranked && !ranked.isUnique && !ranked.isKey && (column.isAdditive || column.isMoney)) return false
  return column.dataset === context.home.id && (column.isNumeric || column.isDate)
}
const asksExtremeItself = (context: Context, column: SchemaColumn): boolean =>
  /^(?:what|vad|vilken|vilket) (?:is|was|were|are|ar|var) (?:the |our |den |det )?(?:highest|largest|biggest|lowest|smallest|hogsta|storsta|lagsta|minsta)(?: single)? <m/.test(
    context.encoded.source,
  ) &&
  context.ask.isExplicit &&
  context.ask.splits.length === 0 &&
  context.ask.outputs.some((item) => item.kind === 'name' && columnAt(context, item.at) === column)
/** "Who has the most revenue" of a name that repeats from row to row: what its rows add up to. */
function addsUpFor(context: Context, at: number, column: SchemaColumn): boolean {
  if (!column.isAdditive && !column.isMoney) return false
  const isSum =
    isRevenueWord(wordsAt(context, at)) ||
    new RegExp(`(?:most|least|mest|minst|flest|farst|fewest) <m${at}>`).test(context.encoded.source)
  const [named] = context.ask.outputs.flatMap((item) =>
    item.kind === 'name' && item.at !== at && !datasetAt(context, item.at) ? (columnAt(context, item.at) ?? []) : [],
  )
  if (!isSum) return false
  // "Who gave the most" of gifts: what those of each person come to.
  const people = /^(?:who|vem)\b/.test(context.words) ? peopleOf(context) : undefined
  if (people && people.id !== column.dataset) return true
  return named !== undefined && !named.isUnique && !named.isKey && named.isText
}
/** The dataset whose rows are listed or ranked. */
export function entityOf(context: Context): SchemaDataset | undefined {
  const { rank, outputs, elsewhere, isExplicit } = context.ask
  const isThing = (item: Item): boolean => item.kind === 'name' && datasetAt(context, item.at) !== undefined
  // "Which merchant has …? Give its name": what was asked for, before it was said what to return of it.
  const asked = isExplicit && rank !== null ? elsewhere.find(isThing) : undefined
  const at = rank?.entity ?? (outputs.find(isThing) ?? asked)?.at
  if (at === undefined || at === null) return undefined
  const direct = datasetAt(context, at)
  if (direct) return direct
  const column = columnAt(context, at)
  return column && nameColumns(context.schema.dataset(column.dataset) ?? context.home).includes(column)
    ? context.schema.dataset(column.dataset)
    : undefined
}

/** "What are the names of the top three": the figure that ranks them was not asked for. */
export const namesOnly = ({ words, ask }: Context): boolean =>
  /(?:^| )(?:names?|titles?|ids?) of /.test(words) ||
  (/^(?:which|who|whose|vilken|vilka|vem)(?: |$)/.test(words) && ask.rank?.n === null)

/** "Which agent has the most policies": policies are counted for each agent, not ranked themselves. */
export function ranksOther(context: Context): boolean {
  const { rank, outputs } = context.ask
  const at = rank?.entity ?? outputs.find(({ kind }) => kind === 'name')?.at
  const entity = at === undefined ? undefined : datasetAt(context, at)
  return entity !== undefined && entity.id !== context.home.id
}
/** One is asked for where the question says one: "which street has the most". */
export function isOneAsked(context: Context): boolean {
  const { rank, outputs } = context.ask
  if (rank?.entity !== null && rank?.entity !== undefined) return !isPlural(context, rank.entity)
  const first = outputs.find((item) => item.kind === 'name')
  return first ? !isPlural(context, first.at) : true
}

export const isPluralRank = (context: Context): boolean => {
  const at = context.ask.rank?.entity
  return at !== null && at !== undefined && isPlural(context, at)
}

/** Whether what is named adds up from row to row. */
export function isAdditiveItem(context: Context, item: Item): boolean {
  if (item.kind !== 'name') return true
  const [best] = meaningsOf(context, item.at)
  const column = best && columnOfRef(context, best.ref)
  return column === undefined || column.isAdditive || column.isMoney
}

/**
 * Whether the question's own rows are told by their name: where it is not said what is ranked it is what was named first
 * ("which shops have the most returns of orders"), and "rivers in more than one province" of rows that name each river
 * several times.
 */
export function isListedHere(context: Context, at: number): boolean {
  const { rank, outputs, conditions } = context.ask
  if (rank?.entity === at || (rank?.entity === null && outputs.find(({ kind }) => kind === 'name')?.at === at))
    return true
  const things = datasetAt(context, at)
  return (
    things !== undefined &&
    nameColumns(things)[0]?.isUnique === false &&
    conditions.some(({ of }) => of?.kind === 'name' && (datasetAt(context, of.at) ?? things) !== things)
  )
}
