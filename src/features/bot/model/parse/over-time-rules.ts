import { DET, M, numberIn, refersTo, type Encoded } from './encoded'
import { isRevenueWord } from '../figures/revenue'
import type { MeasureAsk } from './measure-ask'
import type { CalendarUnit } from '../../../../shared/dates'

/** Patterns of what asks for a figure, and those of figures over time. */
export interface Rule {
  pattern: RegExp
  /** The figure it asks for; null leaves the text as it is. */
  read: (found: RegExpExecArray, encoded: Encoded) => MeasureAsk | null
}
export const rule = (source: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(`(?<![\\w])${source}(?![\\w])`),
  read,
})

export const COUNT_WORD = '(?:number|count|counts|numbers|quantity|nr|antal|antalet)'
export const named = (mark: string): MeasureAsk => ({ kind: 'named', of: numberIn(mark) })
/** A metric, or a term that the business has a figure for. */
export const isDefined = ({ mentions }: Encoded, at: number): boolean => {
  const kind = mentions[at]?.matches[0]?.ref.kind
  return kind === 'metric' || kind === 'term'
}
/** What is counted, of which a time has so many. */
const COUNTED_UNITS = /^(?:hours|minutes|timmar|minuter|pieces|units|enheter)$/
const AVERAGED = '(?:average|avg|mean|genomsnittligt?|genomsnittliga|snitt)'
/** "Average monthly sales", "average number of orders per month". */
export const OVER_TIME: readonly Rule[] = [
  rule(`${AVERAGED} (<d\\d+>) (?:total )?(?:number of |count of |antal )(${M})`, (found, encoded) =>
    perUnit(encoded, found[1], countAsk(found[2])),
  ),
  rule(`${AVERAGED} (<d\\d+>) (?:total )?(${M})`, (found, encoded) =>
    isDefined(encoded, numberIn(found[2]))
      ? perUnit(encoded, found[1], named(found[2] ?? ''))
      : refersTo(encoded, numberIn(found[2]), 'dataset')
        ? perUnit(encoded, found[1], countAsk(found[2]))
        : null,
  ),
  rule(
    `${AVERAGED} ${COUNT_WORD} (?:of |av )?${DET}(${M}) (?:(?:that )?(?:are |were |was )?(?:(${M})|[a-z]{3,}ed) )?(<d\\d+>)`,
    (found, encoded) => {
      const isPlain = found[2] === undefined || encoded.mentions[numberIn(found[2])]?.namesDate === true
      const isCounted = encoded.mentions[numberIn(found[1])]?.namesNumber !== true
      // "The average number of hours per week": what those of each week come to.
      const added: MeasureAsk = { kind: 'aggregate', agg: 'sum', of: numberIn(found[1]) }
      return isPlain ? perUnit(encoded, found[3], isCounted ? countAsk(found[1]) : added) : null
    },
  ),
  rule(`${AVERAGED} (?:total )?(${M}) (<d\\d+>)`, (found, encoded) => {
    const of = numberIn(found[1])
    if (isDefined(encoded, of)) return perUnit(encoded, found[2], named(found[1] ?? ''))
    // "Average hours per day": what a day comes to, and no row of it.
    return COUNTED_UNITS.test(encoded.mentions[of]?.words ?? '') && encoded.mentions[of]?.namesNumber === true
      ? perUnit(encoded, found[2], { kind: 'aggregate', agg: 'sum', of })
      : null
  }),
  // "Average sales per customer": what each of them comes to, and of these the average.
  rule(`${AVERAGED} (?:total )?(${M}) (?:per|for each|for every|each) ${DET}(${M})`, (found, encoded) => {
    const [of, by] = [found[1] ?? '', numberIn(found[2])]
    const isRevenue = isRevenueWord(encoded.mentions[numberIn(of)]?.words ?? '')
    return isRevenue && refersTo(encoded, by, 'dataset') ? { kind: 'perGroup', agg: 'avg', of: named(of), by } : null
  }),
  rule(
    `(?:percentage |percent )?(?:growth|tillvaxt|okning)(?: rate)? (?:in|of|av|i|for) ${DET}(${M})`,
    (found, encoded) => growth(found, encoded),
  ),
  rule(`(${M}) (?:growth|tillvaxt|okning)(?: rate| in percent| i procent)?`, (found, encoded) =>
    growth(found, encoded),
  ),
]
const countAsk = (mark: string | undefined): MeasureAsk => ({ kind: 'count', of: numberIn(mark), distinct: false })
const growth = (found: RegExpExecArray, encoded: Encoded): MeasureAsk | null =>
  encoded.dates.some(({ kind }) => kind === 'grain') ? { kind: 'growth', of: named(found[1] ?? '') } : null
function perUnit({ dates }: Encoded, date: string | undefined, of: MeasureAsk): MeasureAsk | null {
  const spec = dates[numberIn(date)]
  return spec?.kind === 'grain' && isCalendarUnit(spec.grain) ? { kind: 'perUnit', of, unit: spec.grain } : null
}
const isCalendarUnit = (grain: string): grain is CalendarUnit => /^(?:day|week|month|quarter|year)$/.test(grain)
