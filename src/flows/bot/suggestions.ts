import { calendarOfData, type AskContext } from './ask-context'
import type { Vocabulary, VocabularyColumn, VocabularyDataset } from '../../features/bot/model/contract'
import { buildVocabulary, valueIndex } from '../../features/bot/vocabulary'
import { suggestMetrics } from '../../features/metrics/suggestions'
import type { BotSuggestions } from '../../shared/bot/conversations'
import type { Field } from '../../shared/query/field'
import type { Measure } from '../../shared/query/plan'
import { planFieldsOf } from '../../shared/query/plan-fields'
import { capitalize, lowerFirst } from '../../shared/text'

const SUGGESTED_MAX = 6
/** Questions that are tried for that. */
const TRIED_MAX = 14
const SPLIT_VALUES_MAX = 200

/** Questions to begin with, of the asker's own data, each held to what the rules make of it. */
export async function suggestQuestions(context: AskContext): Promise<BotSuggestions> {
  const vocabulary = await buildVocabulary(context)
  const items = await answerable(context, vocabulary, SUGGESTED_MAX)
  return { items, hasData: vocabulary.datasets.some(({ rowCount }) => rowCount > 0) }
}

/** Up to so many questions that can be answered. */
export async function answerable(context: AskContext, vocabulary: Vocabulary, most: number): Promise<string[]> {
  const items: string[] = []
  const calendar = calendarOfData(context, vocabulary)
  for (const question of candidates(vocabulary, await figuresWorthHaving(context)).slice(0, TRIED_MAX)) {
    if (items.length === most) break
    const read = await context.interpret({ question, vocabulary, values: valueIndex(context), calendar })
    if (read.kind === 'answer' || read.kind === 'way') items.push(question)
  }
  return items
}

const isSplit = ({ role, type, distinct }: VocabularyColumn): boolean =>
  role === 'dimension' && type === 'text' && (distinct === undefined || (distinct > 1 && distinct <= SPLIT_VALUES_MAX))

/** A figure to ask for by its name, and the dataset it is of. */
interface NamedFigure {
  name: string
  dataset: string
}
/** What a business looks at first in its tables, metric or not: never a sum of unit prices. */
const figuresWorthHaving = async (context: AskContext): Promise<NamedFigure[]> =>
  (await suggestMetrics(context)).map(({ input }) => ({ name: input.name, dataset: input.dataset }))

function candidates(
  { verified, metrics, glossary, datasets, relations }: Vocabulary,
  worthHaving: readonly NamedFigure[],
): string[] {
  const vouched = verified.filter(({ stale }) => !stale).map(({ question }) => question)
  const homeOf = (id: string | undefined): VocabularyDataset | undefined => datasets.find((each) => each.id === id)
  const named = metrics.slice(0, 3).map(({ name, dataset, time }) => ({
    ...{ name, timed: time !== null, home: homeOf(dataset) },
  }))
  // Figures that the workspace has a word for come before columns, which only programs have named.
  const terms = glossary.flatMap(({ term, measure }) => {
    const home = measure ? homeOf(leafFieldsOfMeasure(measure)[0]?.dataset) : undefined
    return home ? [{ name: term, timed: isTimed(home), home }] : []
  })
  const inferred = worthHaving.flatMap(({ name, dataset }) => {
    const home = homeOf(dataset)
    return home ? [{ name, timed: isTimed(home), home }] : []
  })
  const all = [...named, ...terms.slice(0, 2), ...inferred].slice(0, 3)
  // Tables that rows point at by a key: "top 5 customers" says more than a column of them.
  const thingsOf = (home: VocabularyDataset | undefined): string[] =>
    relations.filter(({ from }) => from.dataset === home?.id).flatMap(({ to }) => homeOf(to.dataset)?.name ?? [])
  const rounds = all.map(({ name, timed, home }) => [
    ...(timed ? [`${name} by month`, `${name} last month`] : [`Total ${name}`]),
    ...splitQuestions(name, home, thingsOf(home)),
    ...(timed ? [`${name} this year vs last year`] : []),
  ])
  const longest = Math.max(0, ...rounds.map(({ length }) => length))
  // One of each figure in turn.
  const mixed = Array.from({ length: longest }, (_, at) => rounds.flatMap((round) => round[at] ?? [])).flat()
  return [...new Set([...vouched.slice(0, 3), ...mixed.map((text) => capitalize(text))])]
}

const isTimed = ({ columns }: VocabularyDataset): boolean =>
  columns.some(({ type }) => type === 'date' || type === 'datetime')
const leafFieldsOfMeasure = (measure: Measure): Field[] =>
  planFieldsOf({ v: 3, kind: 'aggregate', measures: [measure], dimensions: [], filters: [] })

function splitQuestions(name: string, home: VocabularyDataset | undefined, [thing]: string[]): string[] {
  const [first, second] = (home?.columns ?? []).filter(isSplit)
  return [
    ...(thing === undefined ? [] : [`Top 5 ${lowerFirst(thing)} by ${lowerFirst(name)}`]),
    ...(first ? [`Top 5 ${first.label} by ${name}`] : []),
    ...(second ? [`${name} by ${second.label}`] : []),
  ]
}
