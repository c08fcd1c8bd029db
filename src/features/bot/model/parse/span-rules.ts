import { isVerb, M, numberIn, type Encoded } from './encoded'
import { unitIn } from './elapsed-rules'
import { replaceMatches } from './replace-matches'
import type { QuestionParts, SpanCondition } from './ask'

const OPERATORS: readonly [RegExp, SpanCondition['op']][] = [
  [/^(?:at least|minst)$/, 'ge'],
  [/^(?:at most|within|hogst|inom)$/, 'le'],
  [/^(?:less than|under|fewer than|mindre an|kortare an)$/, 'lt'],
  [/.*/, 'gt'],
]
const HOW =
  '(?<cmp>more than|longer than|over|less than|fewer than|under|at least|at most|within|mer an|langre an|mindre an|kortare an|minst|hogst|inom) (?<n>\\d+) (?<unit>days?|hours?|minutes?|dagar|timmar|minuter)'
const readHow = ({ cmp = '', n, unit = '' }: Readonly<Record<string, string | undefined>>) => ({
  op: OPERATORS.find(([words]) => words.test(cmp))?.[1] ?? ('gt' as const),
  value: Number(n),
  unit: unitIn(unit),
})

/** "Took more than 10 days to deliver", "paid more than 30 days after the invoice date": how far two days of a row lie apart. */
export function parseSpans(encoded: Encoded, ask: QuestionParts): void {
  const word = (mark: string | undefined): string | null =>
    mark?.startsWith('<m') === true ? (encoded.mentions[numberIn(mark)]?.words ?? null) : (mark ?? null)
  replaceMatches(
    encoded,
    `(?:(?:that|which|som) )?(?:took|takes?|has taken|have taken|lasted|lasts?|stayed|tog|tar|har tagit|varade|varar|pagick) ${HOW}(?: (?:to (?:be |get )?|att )(?<until>${M}|[a-z]{4,}))?`,
    ({ groups = {} }) => {
      ask.spans.push({ ...readHow(groups), until: word(groups['until']), from: null, isLate: false })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `(?:(?:that|which|som) )?(?:(?:was|were|been|is|are|blev|har) )*(?<until>${M}|[a-z]{3,}(?:ed|t|ats|ades|des|id)) ${HOW} (?:(?<way>after|before|of|from|efter|fore|fran) (?:the |their |its |sin |sitt )?(?<from>${M})|(?<late>late|for sent))`,
    ({ groups = {} }) => {
      const { until, from, way, late } = groups
      const isDay =
        from === undefined || (encoded.mentions[numberIn(from)]?.namesDate === true && !isVerb(encoded, numberIn(from)))
      if (!isDay || /^(?:before|fore)$/.test(way ?? '')) return null
      ask.spans.push({
        ...readHow(groups),
        until: word(until),
        from: from === undefined ? null : numberIn(from),
        isLate: late !== undefined,
      })
      return ' '
    },
  )
}
