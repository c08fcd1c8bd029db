import type { Encoded } from '../parse/encoded'
import type { QuestionParts } from '../parse/ask'
import type { Lexicon } from '../schema/lexicon'
import type { Ref } from '../schema/ref'
import type { Schema, SchemaColumn, SchemaDataset } from '../schema/schema'
import type { Calendar } from '../../../../shared/dates'
import type { Filter } from '../../../../shared/query/plan'
import type { Field } from '../../../../shared/query/field'

/** A question about the rows of one dataset, while its plan is made. */
export interface Context {
  lexicon: Lexicon
  schema: Schema
  encoded: Encoded
  ask: QuestionParts
  calendar: Calendar
  /** Whose rows are counted, added up or listed. */
  home: SchemaDataset
  /** The question as it was written, folded. */
  words: string
  /** Factors of the score with their reasons; 1 takes nothing away. */
  deductions: { factor: number; why: string }[]
  assumptions: string[]
  /** Of a share: what the part is, which is asked of nothing else. */
  part?: Filter[]
  /** Datasets that the question names, by mention. */
  named: ReadonlySet<string>
}
export const deduct = (context: Context, factor: number, why: string): void => {
  context.deductions.push({ factor, why })
}
/** Thrown where a question cannot be read about these rows; another dataset may do. */
export class Unreadable extends Error {
  constructor(
    readonly code: 'no_metric' | 'no_relation' | 'out_of_scope',
    message: string,
    /** The same said to whoever asks, where it helps them. */
    readonly forPeople?: string,
  ) {
    super(message)
  }
}

export const fieldOf = ({ dataset, key }: Pick<SchemaColumn, 'dataset' | 'key'>): Field => ({ dataset, column: key })
export const isReachable = ({ schema, home }: Pick<Context, 'schema' | 'home'>, dataset: string): boolean =>
  schema.path(home.id, dataset) !== null

/** How well a place in the data fits to the rows of the question: near is better, and what no relation leads to is bad. */
export function reachOf(context: Context, dataset: string): number {
  const path = context.schema.path(context.home.id, dataset)
  if (path) return 0.97 ** path.length
  // Rows that point at these: they can only be asked to exist.
  if (context.schema.path(dataset, context.home.id)) return 0.8
  const isLinked = context.schema.datasets.some(
    ({ id }) =>
      context.schema.path(id, context.home.id)?.length === 1 && context.schema.path(id, dataset)?.length === 1,
  )
  return isLinked ? 0.78 : 0.3
}

interface Resolved {
  ref: Ref
  score: number
}
const datasetOfRef = (context: Context, ref: Ref): string | null => {
  if (ref.kind === 'dataset' || ref.kind === 'column') return ref.dataset
  if (ref.kind === 'metric') return context.schema.vocabulary.metrics.find(({ id }) => id === ref.id)?.dataset ?? null
  return null
}

/** What a mention means here, the likeliest first. `wants` prefers one kind of thing. */
export function meaningsOf(context: Context, at: number, wants: (ref: Ref) => number = () => 1): Resolved[] {
  const mention = context.encoded.mentions[at]
  if (!mention) return []
  const beside = besides(context, at)
  const asked = ownersOf(context, at)
  const owners = asked.size > 0 ? asked : listedThings(context, at)
  const things = new Set(
    mention.matches.flatMap(({ ref, score }) => (ref.kind === 'dataset' && score >= 0.8 ? [ref.dataset] : [])),
  )
  return mention.matches
    .map(({ ref, score: fit }) => {
      const isTheirKey = fit < CALLED_SO && isKeyOf(context, ref, things)
      const score = isTheirKey ? fit * 0.9 : fit
      const dataset = datasetOfRef(context, ref)
      const reach = dataset === null ? 1 : reachOf(context, dataset)
      const isNamed = dataset !== null && context.named.has(dataset) ? 1.06 : 1
      const isBeside = dataset !== null && ref.kind === 'column' && !isTheirKey && beside.has(dataset) ? 1.1 : 1
      const isOwn = dataset === context.home.id ? 1.02 : 1
      const isOfRows = ref.kind === 'column' || ref.kind === 'dataset'
      const isTheirs = owners.size > 0 && isOfRows && !owners.has(ref.dataset) ? 0.7 : 1
      return { ref, score: score * reach * isNamed * isBeside * isOwn * isTheirs * wants(ref) }
    })
    .toSorted((a, b) => b.score - a.score)
}
/** "Courses whose title …", "customers with their email": what was named before, where it has such a heading. */
function ownersOf({ encoded: { source, mentions } }: Context, at: number): ReadonlySet<string> {
  const [, whose] = new RegExp(`<m(\\d+)> whose (?:\\w+ ){0,2}<m${at}>`).exec(source) ?? []
  const before = new RegExp(`^(.*?)\\b(?:their|its|his|her|deras) (?:(?:\\w+|<m\\d+>|,) ){0,6}<m${at}>`).exec(
    source,
  )?.[1]
  const [, of] =
    new RegExp(`<m${at}> of (?:(?:the|all|each|every|those|these|our|alla|de) )*<m(\\d+)>`).exec(source) ?? []
  const said = [...(before ?? '').matchAll(/<m(\d+)>/g)].map((found) => found[1])
  // The nearest of those that have such a heading; in a sentence of its own ("Return their email") what was asked for.
  const near = /[?.]/.test(before ?? '') ? said : said.toReversed()
  // Figures of a thing may be those of its rows.
  const isName = mentions[at]?.namesNumber !== true
  const named = whose !== undefined ? [whose] : of !== undefined && isName ? [of] : near
  const meant = mentions[at]?.matches ?? []
  for (const name of named) {
    const ref = mentions[Number(name)]?.matches[0]?.ref
    if (ref?.kind !== 'dataset' || Number(name) === at) continue
    const isHeld = meant.some((each) => 'dataset' in each.ref && each.ref.dataset === ref.dataset)
    if (isHeld) return new Set([ref.dataset])
  }
  return new Set()
}
/** "For each physician … return the first name": headings that are listed are those of what the answer is about. */
function listedThings({ ask, encoded: { mentions } }: Context, at: number): ReadonlySet<string> {
  if (!ask.isExplicit || !ask.outputs.some((item) => item.kind === 'name' && item.at === at)) return new Set()
  const splits = ask.splits.flatMap((item) => (item.kind === 'name' ? [item.at] : []))
  const meant = mentions[at]?.matches ?? []
  const best = meant[0]?.score ?? 0
  for (const thing of [...splits, ...(ask.rank?.entity == null ? [] : [ask.rank.entity])]) {
    const ref = mentions[thing]?.matches[0]?.ref
    const isOwn = meant.some(
      (each) =>
        each.ref.kind === 'column' &&
        each.ref.dataset === (ref?.kind === 'dataset' ? ref.dataset : '') &&
        each.score >= best * 0.98,
    )
    if (ref?.kind === 'dataset' && thing !== at && isOwn) return new Set([ref.dataset])
  }
  return new Set()
}
const CALLED_SO = 0.97
/** The number by which rows point at a thing, or tell it apart, where the thing itself is called by the same word. */
const isKeyOf = ({ schema }: Context, ref: Ref, things: ReadonlySet<string>): boolean => {
  if (ref.kind !== 'column' || things.size === 0) return false
  if (schema.column(ref.dataset, ref.column)?.isKey !== true) return false
  const { relations } = schema.vocabulary
  const targets = (dataset: string, key: string) =>
    relations.flatMap(({ from, to }) => (from.dataset === dataset && from.key === key ? [to] : []))
  const direct = targets(ref.dataset, ref.column)
  // A key that points at one that points further is the same one.
  const all = [...direct, ...direct.flatMap((to) => targets(to.dataset, to.key))]
  return things.has(ref.dataset) || all.some(({ dataset }) => things.has(dataset))
}
/** Datasets named right before or after a mention. */
function besides({ encoded, schema }: Context, at: number): ReadonlySet<string> {
  const order = [...encoded.source.matchAll(/<m(\d+)>/g)].map((found) => Number(found[1]))
  const place = order.indexOf(at)
  // Terms are defined in words of their own, which stand in no question.
  const around = (place < 0 ? [at - 1, at + 1] : [order[place - 1], order[place + 1]]).map(
    (each) => encoded.mentions[each ?? -1],
  )
  return new Set(
    around.flatMap((mention) => {
      const ref = mention?.matches[0]?.ref
      if (ref?.kind === 'dataset') return [ref.dataset]
      // "The country of the sender": who it is by whose key.
      return ref?.kind === 'column' && schema.column(ref.dataset, ref.column)?.isKey === true
        ? schema.vocabulary.relations.flatMap(({ from, to }) =>
            from.dataset === ref.dataset && from.key === ref.column ? [to.dataset] : [],
          )
        : []
    }),
  )
}
export const columnOfRef = ({ schema }: Pick<Context, 'schema'>, ref: Ref): SchemaColumn | undefined =>
  ref.kind === 'column' ? schema.column(ref.dataset, ref.column) : undefined

/** The column that a mention means, if it means one. */
export function columnAt(
  context: Context,
  at: number,
  wants?: (column: SchemaColumn) => number,
): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    return column ? (wants?.(column) ?? 1) : 0
  })
  return best && best.score > 0 ? columnOfRef(context, best.ref) : undefined
}
export const wordsAt = ({ encoded }: Context, at: number): string => encoded.mentions[at]?.words ?? ''
