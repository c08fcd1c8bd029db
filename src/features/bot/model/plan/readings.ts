import { assemble, NO_FIGURE } from './assemble'
import { waysOf } from './ways'
import { columnOfRef, deduct, meaningsOf, Unreadable, type Context } from './context'
import { coverageDeductions, type Deduction } from '../score/coverage'
import { unknownFactor } from '../score/unknown-words'
import { accountDeductions } from '../account/accounting'
import { overheardNames } from '../score/overheard'
import { isDeedOf } from '../conditions/deeds'
import { endsElapsed, saysHowLong } from '../figures/durations'
import { saysHowMany } from '../schema/quantity'
import { stemOf } from '../language/words'
import { foldText } from '../../../../shared/bot/fold-text'
import { wordTable } from '../../../../lib/word-table'
import { fittingColumn } from './rows-plan'
import { lookUp } from '../schema/look-up'
import { ADJECTIVES } from '../parse/adjectives'
import type { Field } from '../../../../shared/query/field'
import { planFieldsOf } from '../../../../shared/query/plan-fields'
import { isVerb, type Encoded } from '../parse/encoded'
import type { QuestionParts } from '../parse/ask'
import type { Lexicon } from '../schema/lexicon'
import type { QueryPlan } from '../../../../shared/query/plan'
import type { Calendar } from '../../../../shared/dates'
import type { SchemaDataset } from '../schema/schema'

/** One way to read a question. */
export interface Candidate {
  plan: QueryPlan
  shown: string[] | null
  score: number
  home: string
  deductions: { factor: number; why: string }[]
  /** Whatever took something from the score, for tests and tools. */
  against: Deduction[]
  assumptions: string[]
  /** By what its rows lead to where several ways do, where nothing says which is meant. */
  by: string[]
  context: Context
}
export interface ReadingInput {
  encoded: Encoded
  ask: QuestionParts
  words: string
  lexicon: Lexicon
  calendar: Calendar
}

export interface Readings {
  /** The likeliest first. */
  candidates: Candidate[]
  /** Why some datasets cannot answer. */
  failures: Unreadable[]
}

/** The ways to read a question, one for each dataset whose rows it may be about. */
export function readingsOf(input: ReadingInput): Readings {
  const named = namedDatasets(input.encoded, input.lexicon, input.words)
  const read = homesOf(input).map((home) => readAbout(home, named, input))
  const candidates = read.flatMap((each) => (each instanceof Unreadable ? [] : each))
  const failures = read.flatMap((each) => (each instanceof Unreadable ? [each] : []))
  return { candidates: candidates.toSorted((a, b) => b.score - a.score), failures }
}

function readAbout(home: SchemaDataset, named: ReadonlySet<string>, input: ReadingInput): Candidate[] | Unreadable {
  const context: Context = {
    ...input,
    schema: input.lexicon.schema,
    home,
    // Each reading changes what was asked as it goes.
    ask: structuredClone(input.ask),
    deductions: [],
    assumptions: [],
    named,
  }
  try {
    const { plan, shown } = assemble(context)
    const { deductions, assumptions } = context
    const { score, against } = scoreOf(context, plan)
    const read = { shown, score, against, home: home.id, deductions, assumptions, context }
    return waysOf(context, plan).map((way) => ({ ...read, ...way }))
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}

/** The words of a question in the singular, and what is done in it as what was done: "receive" beside `received`. */
const saidWords = (words: string): ReadonlySet<string> =>
  new Set(words.split(/[^\p{L}\d]+/u).flatMap((word) => [stemOf(word), DONE_FORMS[word] ?? word.replace(/e?$/, 'ed')]))
const DONE_FORMS: Readonly<Record<string, string>> = wordTable({
  make: 'made',
  makes: 'made',
  pay: 'paid',
  pays: 'paid',
  sell: 'sold',
  sells: 'sold',
  buy: 'bought',
  send: 'sent',
})
const NAMED_SCORE = 0.7
/** Tables that are named, and those of two words or more of which every word stands in the question. */
function namedDatasets({ mentions }: Encoded, { schema }: Lexicon, words: string): ReadonlySet<string> {
  const said = saidWords(words)
  const spelled = schema.datasets.filter(
    (table) => table.words.length > 1 && table.words.every((word) => said.has(stemOf(word))),
  )
  return new Set([
    ...spelled.map(({ id }) => id),
    ...mentions.flatMap(({ matches, words }) =>
      // "name" is a column of many tables, and names none.
      /^names?$/.test(words)
        ? []
        : matches.flatMap(({ ref, score }) =>
            ref.kind === 'dataset' && score >= Math.max(NAMED_SCORE, 0.8 * (matches[0]?.score ?? 0))
              ? [ref.dataset]
              : [],
          ),
    ),
  ])
}

const HOMES_MAX = 12
/** Datasets that something of the question is in, and those between them. */
function homesOf({ encoded, ask, words, lexicon }: ReadingInput): SchemaDataset[] {
  const { schema } = lexicon
  const weights = new Map<string, number>()
  const add = (dataset: string, weight: number): void => void weights.set(dataset, (weights.get(dataset) ?? 0) + weight)
  for (const { matches } of encoded.mentions)
    for (const { ref, score } of matches.slice(0, 8)) {
      if (ref.kind === 'dataset' || ref.kind === 'column') add(ref.dataset, score)
      if (ref.kind === 'term' && ref.entry.measure)
        for (const { dataset } of planFieldsOf({
          v: 3,
          kind: 'aggregate',
          measures: [ref.entry.measure, ...(ref.entry.elsewhere ?? [])],
          dimensions: [],
          filters: [],
        }))
          add(dataset, score * 2)
      if (ref.kind === 'metric')
        add(schema.vocabulary.metrics.find(({ id }) => id === ref.id)?.dataset ?? '', score * 2)
    }
  for (const figure of encoded.figures)
    if (figure.kind === 'elapsed')
      for (const { id, columns } of schema.datasets) if (endsElapsed(columns, figure.until)) add(id, 0.5)
  const adjective = ask.rank?.adjective ?? null
  if (weights.size === 0 && adjective !== null)
    for (const { dataset } of lookUp(lexicon, ADJECTIVES[adjective]?.words ?? [])) add(dataset, 0.5)
  for (const { id, columns } of schema.datasets) if (saysFigure(encoded, columns)) add(id, 0.5)
  for (const { matches } of encoded.values) for (const { dataset } of matches.slice(0, 8)) add(dataset, 0.3)
  // What a value comes to is said by the rows that point at what is called so.
  if (encoded.figures.some(({ kind }) => kind === 'amount'))
    for (const { from, to } of schema.vocabulary.relations)
      if (weights.has(to.dataset) && schema.dataset(from.dataset)?.columns.some(({ isMoney }) => isMoney) === true)
        add(from.dataset, 0.2)
  for (const id of [...linksOf(schema, weights), ...doneTo(schema, weights, words)]) add(id, 0.1)
  const found = [...weights].toSorted((a, b) => b[1] - a[1]).slice(0, HOMES_MAX)
  return found.flatMap(([id]) => schema.dataset(id) ?? [])
}

/** Whether rows say how long things took, or how many pieces they were, where that is asked. */
const saysFigure = ({ figures }: Encoded, columns: SchemaDataset['columns']): boolean =>
  figures.some(
    ({ kind }) => (kind === 'lasting' && columns.some(saysHowLong)) || (kind === 'pieces' && columns.some(saysHowMany)),
  )
/** Tables whose rows point at two things that the question is about, and of which nobody spoke: loans of books to members. */
function linksOf({ vocabulary, datasets }: Lexicon['schema'], known: ReadonlyMap<string, number>): string[] {
  const targets = (id: string): ReadonlySet<string> =>
    new Set(vocabulary.relations.flatMap(({ from, to }) => (from.dataset === id ? [to.dataset] : [])))
  return datasets.flatMap(({ id }) => {
    const [one, other] = [...targets(id)].filter((target) => target !== id && known.has(target))
    return !known.has(id) && one !== undefined && (other !== undefined || targets(id).size > 1) ? [id] : []
  })
}

/** "Customers that ordered more than once": rows that point at these and are called after the verb. */
function doneTo(
  { vocabulary, datasets }: Lexicon['schema'],
  known: ReadonlyMap<string, number>,
  words: string,
): string[] {
  const verbs = new Set([...words.matchAll(/\b(\p{L}{3,})(?:ed|er|ade|at)\b/gu)].map((found) => found[1]))
  return datasets.flatMap((table) => {
    const { id, words: own } = table
    const isPointing = vocabulary.relations.some(({ from, to }) => from.dataset === id && known.has(to.dataset))
    const isDone = own.some((word) => verbs.has(stemOf(word))) || words.split(' ').some((word) => isDeedOf(word, table))
    return isPointing && !known.has(id) && isDone ? [id] : []
  })
}

/** From 0 to 1: how well what was said is covered by the plan. */
function scoreOf(context: Context, plan: QueryPlan): Pick<Candidate, 'score' | 'against'> {
  const { encoded, ask, deductions } = context
  const used = usedMentions(context)
  const quality = used.map((at) => Math.min(1, meaningsOf(context, at)[0]?.score ?? 0))
  const fit =
    quality.length === 0
      ? context.named.has(context.home.id) || isToldOtherwise(context)
        ? 0.95
        : 0.6
      : quality.reduce((sum, each) => sum + each, 0) / quality.length
  // What fits worst counts most: a chain of good names and one bad guess is a guess.
  const worst = Math.min(1, ...quality)
  const unsaid = coverageDeductions({
    rest: ask.rest,
    words: wordsOutside(context),
    encoded,
    plan,
    saysWhen: (field) => saysWhen(context, field),
  })
  for (const at of used)
    if (isCalledSoElsewhere(context, at))
      deduct(context, 0.85, `“${encoded.mentions[at]?.words ?? ''}” is a heading of others`)
  const against = [
    ...deductions,
    ...unsaid,
    ...overheardNames(context, plan),
    ...accountDeductions(context, plan),
    ...unreadWords(context, plan),
  ].filter(({ factor }) => factor < 1)
  const kept = against.reduce((product, { factor }) => product * factor, 1)
  const homeNamed = (context.named.has(context.home.id) ? 1 : 0.985) * (isOutspoken(context) ? 0.97 : 1)
  const score = (0.6 * fit + 0.4 * worst) * kept * homeNamed * sizeFactor(plan) * turnFactor(context, plan)
  return { score, against }
}
/** What no rule has read of a question: words that nothing knows, numbers, and words that change what is asked. */
function unreadWords(context: Context, plan: QueryPlan): Deduction[] {
  const { encoded, ask } = context
  const left = ask.rest.split(' ')
  const isFallback =
    ask.outputs.length === 0 && context.deductions.some(({ factor, why }) => why === NO_FIGURE && factor < 0.8)
  const isUnknown = encoded.unknown.some(
    (word) => left.includes(foldText(word)) && unknownFactor(context, plan, word) <= 0.75,
  )
  return [
    // "Margin by region" where nothing is called margin: how many there are is no answer to it.
    ...(isFallback && isUnknown ? [{ factor: 0.7, why: 'what is to be measured is not known' }] : []),
    ...encoded.unknown
      .filter((word) => left.includes(foldText(word)))
      .map((word) => ({ factor: unknownFactor(context, plan, word), why: `“${word}” is not known` })),
    ...left.filter((word) => /^\d+$/.test(word)).map((word) => ({ factor: 0.6, why: `${word} is not read` })),
    ...UNREAD.filter(([words]) => words.test(ask.rest)).map(([words, factor]) => ({
      factor,
      why: `“${words.exec(ask.rest)?.[0] ?? ''}” is not read`,
    })),
  ]
}
/** Hours and pieces are those of the rows that say them; so is what ranks them, and values that only they hold. */
const isToldOtherwise = (context: Context): boolean => {
  const { encoded, ask, home } = context
  if (encoded.figures.some(({ kind }) => kind === 'lasting' || kind === 'pieces')) return true
  if (encoded.figures.some((figure) => figure.kind === 'elapsed' && endsElapsed(home.columns, figure.until)))
    return true
  const adjective = ask.rank?.adjective ?? null
  if (adjective !== null && fittingColumn(context, adjective)?.dataset === home.id) return true
  return (
    encoded.values.length > 0 &&
    encoded.values.every(({ matches }) => matches.every(({ dataset }) => dataset === home.id))
  )
}
/** A heading of other rows is the very word, and here only another word for it is one. */
function isCalledSoElsewhere(context: Context, at: number): boolean {
  const [first] = context.encoded.mentions[at]?.matches ?? []
  const ref = meaningsOf(context, at)[0]?.ref
  if (first?.ref.kind !== 'column' || first.score < 0.97 || ref?.kind !== 'column') return false
  if (new RegExp(`whose (?:\\w+ ){0,2}<m${at}>`).test(context.encoded.source)) return false
  const own = context.encoded.mentions[at]?.matches.find((each) => each.ref === ref)?.score ?? 1
  return own < 0.9
}
/** The question without headings that hold a word of asking: `discount percent` asks for no share. */
const wordsOutside = ({ words, encoded }: Context): string =>
  encoded.mentions.reduce(
    (text, mention) =>
      /\b(?:percent|percentage|share|ratio|proportion|average|different)\b/.test(mention.words) &&
      mention.words.includes(' ')
        ? text.replaceAll(mention.words, ' ')
        : text,
    words,
  )
/** A table of which only a word was said, beside another one of that word whose other words were said, too. */
function isOutspoken({ home, schema, words }: Context): boolean {
  const said = saidWords(words)
  const isSpelled = (table: SchemaDataset): boolean =>
    table.words.length > 1 && table.words.every((word) => said.has(stemOf(word)))
  return (
    home.words.length > 1 &&
    !isSpelled(home) &&
    schema.datasets.some((other) => other !== home && isSpelled(other) && other.words[0] === home.words[0])
  )
}
/** Words that change what is asked: where no rule has read them, the reading lacks what they say. */
const UNREAD: readonly [RegExp, number][] = [
  [/\b(?:not|never|without|no|nor|except|excluding|utan|inte|ingen|aldrig|saknar)\b/, 0.5],
  [/\b(?:percentage|percent|proportion|share|ratio|rate|andel|procent)\b/, 0.5],
  [/\b(?:how many|how much|hur manga|hur mycket|number of)\b/, 0.55],
  [
    /\b(?:most|least|highest|lowest|oldest|youngest|earliest|latest|largest|smallest|longest|shortest|first|best|worst|flest|storst|langst|tidigast)\b/,
    0.6,
  ],
  [/\b(?:difference|compared|versus|vs|more than|less than|divided|minus|times|gånger)\b/, 0.6],
  [/\b(?:or|either|eller)\b/, 0.7],
  [/\b(?:only|ended)\b/, 0.75],
  // "By region and quarter": a unit of time of which nothing was made.
  [/\b(?:and|och|by|per) (?:day|week|month|quarter|year|weekday|dag|vecka|manad|kvartal|veckodag)\b/, 0.6],
  // "With name and date": what is to be listed, of which nothing is called so.
  [/\b(?:with|and|med|och) (?:the |their )?(?:dates?|datum|day|amounts?|belopp|names?|namn)(?= ?(?:$|[?.,]))/, 0.7],
]
/** A word that nothing knows may have been the condition that matters. */
const TIME_NAMES = new Set([
  'day',
  'date',
  'week',
  'month',
  'quarter',
  'year',
  'time',
  'dag',
  'datum',
  'vecka',
  'manad',
  'kvartal',
  'ar',
])
function saysWhen({ schema }: Context, field: Field): boolean {
  const column = schema.column(field.dataset, field.column)
  return column !== undefined && (column.isDate || column.words.some((word) => TIME_NAMES.has(word)))
}
/** From a thing to the one row that points at it: rows that none points at come along, which is seldom meant. */
function turnFactor({ schema, home }: Context, plan: QueryPlan): number {
  const datasets = new Set(planFieldsOf(plan).map(({ dataset }) => dataset))
  const isTurned = [...datasets].some((id) =>
    schema
      .path(home.id, id)
      ?.some(
        (hop) =>
          !schema.vocabulary.relations.some(
            ({ from }) => from.dataset === hop.from.dataset && from.key === hop.from.key,
          ),
      ),
  )
  return isTurned ? 0.95 : 1
}
/** Fewer relations are likelier, when all else is the same. */
function sizeFactor(plan: QueryPlan): number {
  const datasets = new Set(planFieldsOf(plan).map(({ dataset }) => dataset))
  return 0.995 ** Math.max(0, datasets.size - 1)
}

/** Mentions that a reading stands on. */
function usedMentions(context: Context): number[] {
  const { ask, encoded } = context
  const talk = new Set(ask.hints)
  return encoded.mentions.flatMap((mention, at) => {
    const [best] = mention.matches
    if (!best) return []
    // What was only said beside, and means a table that is not needed, takes nothing away.
    if (talk.has(at) && best.ref.kind === 'dataset') return []
    if (best.ref.kind === 'column' && columnOfRef(context, best.ref) === undefined) return []
    // "Payments sent by …": a verb that only other rows have a heading for.
    if (
      isVerb(encoded, at) &&
      best.ref.kind === 'column' &&
      context.schema.path(context.home.id, best.ref.dataset) === null
    )
      return []
    return [at]
  })
}
