import type { VerifiedQuestion, Vocabulary } from './model/contract'
import type { BotAnswer, PlanChip } from '../../shared/bot/interpretation'
import { foldText } from '../../shared/bot/fold-text'

/** Words that say nothing of what is asked. */
const EMPTY_WORDS = new Set(
  'a an the of is are was were do does did our my we i me us show give tell please what whats how much many which en ett den det vad hur mycket många visa'.split(
    ' ',
  ),
)
/** Of the words of both wordings, how many are in both. */
const SIMILAR_MIN = 0.85
/** Fewer words are too little to be alike without being the same. */
const SIMILAR_WORDS_MIN = 3

const tellingWords = (text: string): Set<string> =>
  new Set(
    foldText(text)
      .split(' ')
      .filter((word) => word !== '' && !EMPTY_WORDS.has(word)),
  )

/** Share of the words of both that are in both. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

/** The verified answer whose wording a question has, or nearly has; those that changed meanwhile only word by word. */
export function verifiedFor(question: string, { verified }: Pick<Vocabulary, 'verified'>): VerifiedQuestion | null {
  const folded = foldText(question)
  const exact = verified.find((answer) => foldText(answer.question) === folded)
  if (exact) return exact
  const words = tellingWords(question)
  const scored = verified
    .filter(({ stale }) => !stale)
    .map((answer) => ({ answer, score: likeness(words, tellingWords(answer.question)) }))
    .toSorted((a, b) => b.score - a.score)
  const [best, second] = scored
  if (!best || words.size < SIMILAR_WORDS_MIN || best.score < SIMILAR_MIN) return null
  return second && second.score === best.score ? null : best.answer
}

/** A verified answer as the answer to a question. */
export const verifiedAnswer = (
  { id, question, plan, viz, shown, stale }: VerifiedQuestion,
  chips: PlanChip[],
): BotAnswer => ({
  ...{ kind: 'answer', plan, intent: 'breakdown', viz: viz ?? { chart: 'table', direction: 'up' }, score: 1 },
  ...(shown ? { shown } : {}),
  ...{ words: question, chips, assumptions: [], verified: { id, stale } },
})
