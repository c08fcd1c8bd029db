import { calendarOfData, type AskContext } from './ask-context'
import type { Vocabulary, VocabularyColumn, VocabularyDataset } from '../../features/bot/model/contract'
import { buildVocabulary, valueIndex } from '../../features/bot/vocabulary'
import type { BotSuggestions } from '../../shared/bot/conversations'
import { capitalize } from '../../shared/text'

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
  for (const question of candidates(vocabulary).slice(0, TRIED_MAX)) {
    if (items.length === most) break
    const read = await context.interpret({ question, vocabulary, values: valueIndex(context), calendar })
    if (read.kind === 'answer' || read.kind === 'way') items.push(question)
  }
  return items
}

const isSplit = ({ role, type, distinct }: VocabularyColumn): boolean =>
  role === 'dimension' && type === 'text' && (distinct === undefined || (distinct > 1 && distinct <= SPLIT_VALUES_MAX))
/** Money first. */
const measureRank = ({ format }: VocabularyColumn): number => (format.style === 'currency' ? 0 : 1)
const isMeasure = ({ role, type }: VocabularyColumn): boolean =>
  role === 'measure' && (type === 'number' || type === 'integer')

function candidates({ verified, metrics, datasets }: Vocabulary): string[] {
  const vouched = verified.filter(({ stale }) => !stale).map(({ question }) => question)
  const byRows = datasets.filter(({ rowCount }) => rowCount > 0).toSorted((a, b) => b.rowCount - a.rowCount)
  const named = metrics.slice(0, 3).map(({ name, dataset, time }) => ({
    name,
    timed: time !== null,
    home: datasets.find(({ id }) => id === dataset),
  }))
  const plain = byRows.flatMap((home) => {
    const [measure] = home.columns.filter(isMeasure).toSorted((a, b) => measureRank(a) - measureRank(b))
    const timed = home.columns.some(({ type }) => type === 'date' || type === 'datetime')
    return measure ? [{ name: measure.label, timed, home }] : []
  })
  const all = [...named, ...plain].slice(0, 4)
  const rounds = all.map(({ name, timed, home }) => [
    ...(timed ? [`${name} last month`, `${name} by month`] : [`Total ${name}`]),
    ...splitQuestions(name, home),
    ...(timed ? [`${name} this year vs last year`] : []),
  ])
  const longest = Math.max(0, ...rounds.map(({ length }) => length))
  // One of each figure in turn.
  const mixed = Array.from({ length: longest }, (_, at) => rounds.flatMap((round) => round[at] ?? [])).flat()
  return [...new Set([...vouched.slice(0, 3), ...mixed.map((text) => capitalize(text))])]
}

function splitQuestions(name: string, home: VocabularyDataset | undefined): string[] {
  const [first, second] = (home?.columns ?? []).filter(isSplit)
  return [...(first ? [`Top 5 ${first.label} by ${name}`] : []), ...(second ? [`${name} by ${second.label}`] : [])]
}
