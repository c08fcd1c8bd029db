import { BOT_ANSWER_SCORE, BOT_CLARIFY_SCORE, BOT_CHOICES_MAX } from '../../../shared/bot/interpretation'
import type { BotInterpretation, BotReading } from '../../../shared/bot/interpretation'
import type { Candidate } from './plan/readings'
import type { Encoded } from './parse/encoded'
import type { InterpretInput } from './contract'

export interface DecideInput {
  encoded: Encoded
  words: string
  input: InterpretInput
}

/** Answers with the likeliest reading, asks which one is meant, or declines. */
export function decide(candidates: readonly Candidate[], { encoded }: DecideInput): BotInterpretation {
  const [best] = candidates
  if (!best || best.score < BOT_CLARIFY_SCORE)
    return {
      kind: 'refuse',
      code: 'no_metric',
      message: 'I could not read this as a question about your data.',
      suggestions: [],
      unknown: encoded.unknown,
    }
  const reading = readingOf(best)
  if (best.score >= BOT_ANSWER_SCORE) return { kind: 'answer', ...reading }
  const choices = candidates.slice(0, BOT_CHOICES_MAX).map((each) => ({ ...readingOf(each), label: each.home }))
  return { kind: 'clarify', question: 'Which one do you mean?', choices }
}
const readingOf = (candidate: Candidate): BotReading => ({
  plan: candidate.plan,
  intent: 'value',
  viz: { chart: 'table', direction: 'up' },
  score: candidate.score,
  ...(candidate.shown ? { shown: candidate.shown } : {}),
  words: '',
  chips: [],
  assumptions: candidate.assumptions,
})
