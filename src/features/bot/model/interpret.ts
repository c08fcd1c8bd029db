import { foldText } from '../../../shared/bot/fold-text'
import { isoFromDay } from '../../../shared/dates'
import { daysOf } from './dates/find-dates'
import { lexiconOf } from './schema/lexicon'
import { encode } from './parse/encode'
import { definitionsOf, readTerms, splitDefinitions } from './parse/definitions'
import { takeFigures } from './parse/figure-rules'
import { askOf } from './parse/clauses'
import { readingsOf, type Candidate } from './plan/readings'
import { decide } from './decide'
import type { Encoded } from './parse/encoded'
import type { InterpretInput } from './contract'
import type { BotInterpretation } from '../../../shared/bot/interpretation'
import type { QueryPlan } from '../../../shared/query/plan'

/**
 * Reads a question as a plan, asks one question back, or says why it has no answer. Nothing is looked at but the
 * vocabulary, so that what is not in it cannot be named.
 */
export async function interpret(input: InterpretInput): Promise<BotInterpretation> {
  const { encoded, words } = await encodedQuestion(input)
  const candidates = candidatesOf(encoded, words, input)
  return decide(candidates, { encoded, words, input })
}

export async function encodedQuestion(input: InterpretInput): Promise<{ encoded: Encoded; words: string }> {
  const { question, entries } = splitDefinitions(input.question)
  const given = definitionsOf(input.definitions ?? '')
  const terms = [...entries, ...given]
  const lexicon = lexiconOf(input.vocabulary)
  const encodeInput = { lexicon, values: input.values, calendar: input.calendar, terms }
  const encoded = await encode(plainQuestion(question), encodeInput)
  const spoken = new Set(
    encoded.mentions.flatMap(({ matches }) => matches.flatMap(({ ref }) => (ref.kind === 'term' ? [ref.entry] : []))),
  )
  await readTerms(encoded, [...spoken], encodeInput)
  return { encoded, words: foldText(question) }
}

/** Spellings that rules need not know twice. */
const plainQuestion = (question: string): string =>
  question
    .replaceAll(/\bfirst and last names?\b/gi, 'first name and last name')
    .replaceAll(/\blast and first names?\b/gi, 'last name and first name')
    .replaceAll(/\b(\w+)\/(\w+)\b(?=\s+(?:was|is|were|are)\b)/g, '$1')

export function candidatesOf(encoded: Encoded, words: string, input: InterpretInput): Candidate[] {
  takeFigures(encoded)
  const ask = askOf(encoded)
  const candidates = readingsOf({ encoded, ask, words, lexicon: lexiconOf(input.vocabulary), calendar: input.calendar })
  return input.asOf === undefined ? candidates : candidates.map((each) => ({ ...each, plan: fixed(each.plan, input) }))
}
/** Counted back from a day that the caller chose, whatever the data end on. */
function fixed(plan: QueryPlan, { calendar }: InterpretInput): QueryPlan {
  const days = plan.period && daysOf(plan.period.range, calendar)
  if (!plan.period || !days) return plan
  return {
    ...plan,
    period: { ...plan.period, range: { kind: 'absolute', from: isoFromDay(days.from), to: isoFromDay(days.to) } },
  }
}
