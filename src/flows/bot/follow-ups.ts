import type { AskContext } from './ask-context'
import { readByRules } from './read-question'
import type { Vocabulary } from '../../features/bot/model/contract'
import { readingOf } from '../../shared/bot/conversations'
import type { BotInterpretation, BotReading } from '../../shared/bot/interpretation'
import { isBusinessGroup, isContactColumn } from '../../shared/data-sources/key-columns'
import { humanizeLabel, lowerFirst } from '../../shared/text'
import { measuredDataset } from '../../shared/query/plan-fields'

export const FOLLOW_UPS_MAX = 3
/** Columns with more values make long lists. */
const SPLIT_VALUES_MAX = 30

/** Questions that go on from an answer, each held to what the rules make of it: none that they would decline. */
export async function followUpsOf(
  context: AskContext,
  { interpretation, vocabulary }: { interpretation: BotInterpretation; vocabulary: Vocabulary },
): Promise<string[]> {
  const reading = readingOf(interpretation)
  if (!reading) return []
  const { words, plan, viz, shown } = reading
  const previous = { question: words, plan, viz, ...(shown ? { shown } : {}) }
  const found: string[] = []
  for (const question of candidatesOf(interpretation, reading, vocabulary)) {
    if (found.length === FOLLOW_UPS_MAX) break
    const read = await readByRules(context, { question, previous }, vocabulary)
    const isOther = read.kind === 'answer' && JSON.stringify(read.plan) !== JSON.stringify(plan)
    if (isOther || (read.kind === 'way' && read.way === 'why')) found.push(question)
  }
  return found
}

function candidatesOf(
  interpretation: BotInterpretation,
  { plan, intent }: BotReading,
  { datasets, books = [] }: Vocabulary,
): string[] {
  if (plan.kind !== 'aggregate' || plan.measures.length === 0) return []
  // How something stands now is told in total only.
  const told = JSON.stringify(plan.measures[0])
  if (books.some(({ isStanding, measure }) => isStanding === true && JSON.stringify(measure) === told)) return []
  const home = datasets.find(({ id }) => id === measuredDataset(plan))
  const split = new Set(plan.dimensions.map(({ field }) => field.column))
  const isFew = (distinct: number | undefined): boolean =>
    distinct !== undefined && distinct > 1 && distinct <= SPLIT_VALUES_MAX
  // What a business is organised by first; lines of addresses are groups of nothing.
  const splits = (home?.columns ?? [])
    .filter(
      (column) =>
        column.role === 'dimension' &&
        column.type === 'text' &&
        !split.has(column.key) &&
        isFew(column.distinct) &&
        !isContactColumn(column),
    )
    .toSorted((a, b) => Number(isBusinessGroup(b.label)) - Number(isBusinessGroup(a.label)))
  // Series of vouchers say nothing of a figure of books.
  const isOfBooks = books.some(
    ({ measure }) => measure && JSON.stringify(measure).includes(`"dataset":"${home?.id ?? ''}"`),
  )
  const account = split.has(home?.columns.find(({ label }) => label === 'account')?.key ?? 'c0') ? [] : ['By account']
  const bySplits = isOfBooks ? account : splits.slice(0, 2).map(({ label }) => `By ${lowerFirst(humanizeLabel(label))}`)
  const isWhy = interpretation.kind === 'way'
  const hasTime = plan.dimensions.some(({ grain }) => grain !== undefined)
  return [
    ...(plan.period && !isWhy && plan.dimensions.length === 0 ? ['Why?'] : []),
    ...(plan.period && plan.period.compare === 'none' ? ['Compare with last year'] : []),
    ...bySplits,
    ...(plan.period && !hasTime ? ['By month'] : []),
    ...(intent === 'breakdown' || intent === 'top' ? ['As a table'] : []),
    ...(plan.period ? ['Last 12 months'] : []),
  ]
}
