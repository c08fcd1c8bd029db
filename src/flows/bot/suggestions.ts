import { calendarOfData, type AskContext } from './ask-context'
import type { Vocabulary, VocabularyColumn, VocabularyDataset } from '../../features/bot/model/contract'
import { buildVocabulary, valueIndex } from '../../features/bot/vocabulary'
import { bookQuestions } from '../../features/bot/model/say/suggestions'
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
/** So many rows point at each row of a table, on average, whose rows are worth a ranking. */
const ROWS_OF_A_THING = 5

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

function candidates(vocabulary: Vocabulary, worthHaving: readonly NamedFigure[]): string[] {
  const { verified, metrics, glossary, datasets, relations, books = [] } = vocabulary
  const booked = new Set(
    books.flatMap(({ measure }) => (measure ? leafFieldsOfMeasure(measure) : [])).map(({ dataset }) => dataset),
  )
  const vouched = verified.filter(({ stale }) => !stale).map(({ question }) => question)
  const homeOf = (id: string | undefined): VocabularyDataset | undefined => datasets.find((each) => each.id === id)
  const named = byTurns([...Map.groupBy(metrics, ({ dataset }) => dataset).values()]).map(
    ({ name, dataset, time }) => ({
      ...{ name, timed: time !== null, home: homeOf(dataset) },
    }),
  )
  // Figures that the workspace has a word for come before columns, which only programs have named.
  const terms = glossary.flatMap(({ term, measure }) => {
    const home = measure ? homeOf(leafFieldsOfMeasure(measure)[0]?.dataset) : undefined
    return home ? [{ name: term, timed: isTimed(home), home }] : []
  })
  const inferred = worthHaving.flatMap(({ name, dataset }) => {
    const home = booked.has(dataset) ? undefined : homeOf(dataset)
    return home ? [{ name, timed: isTimed(home), home }] : []
  })
  const all = [...named, ...terms.slice(0, 2), ...inferred].slice(0, 3)
  const rounds = all.map(({ name, timed, home }) => [
    timed ? `${name} by month` : `Total ${name}`,
    ...(home ? splitQuestions(name, home, { datasets, relations }) : []),
    ...(timed ? [`${name} last month`, `${name} this year vs last year`] : []),
  ])
  // Each figure begins with another kind of question.
  const varied = byTurns(rounds.map((round, nth) => [...round.slice(nth), ...round.slice(0, nth)]))
  const own = varied.map((text) => capitalize(text))
  return [...new Set([...vouched.slice(0, 3), ...byTurns([own, bookQuestions(vocabulary)])])]
}

/** The first of each list, then the second of each, and so on. */
function byTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

const isTimed = ({ columns }: VocabularyDataset): boolean =>
  columns.some(({ type }) => type === 'date' || type === 'datetime')
const leafFieldsOfMeasure = (measure: Measure): Field[] =>
  planFieldsOf({ v: 3, kind: 'aggregate', measures: [measure], dimensions: [], filters: [] })

/**
 * By what rows point at ("top 5 customers" says more than a column of keys, and than vouchers of two rows each), else by a
 * column of texts, and by another one.
 */
function splitQuestions(
  name: string,
  home: VocabularyDataset,
  { datasets, relations }: Pick<Vocabulary, 'datasets' | 'relations'>,
): string[] {
  const pointing = relations.filter(({ from }) => from.dataset === home.id)
  const thing = pointing
    .flatMap(({ to }) => datasets.find(({ id }) => id === to.dataset) ?? [])
    .find(({ rowCount }) => rowCount * ROWS_OF_A_THING <= home.rowCount)
  const keys = new Set(pointing.map(({ from }) => from.key))
  const [first, second] = home.columns.filter((column) => isSplit(column) && !keys.has(column.key))
  const ranked = thing ? lowerFirst(thing.name) : first?.label
  const other = thing ? first : second
  return [
    ...(ranked === undefined ? [] : [`Top 5 ${ranked} by ${thing ? lowerFirst(name) : name}`]),
    ...(other ? [`${name} by ${other.label}`] : []),
  ]
}
