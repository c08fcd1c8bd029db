import { DET, numberIn, refersTo, type Encoded } from './encoded'
import { rule, type Rule } from './over-time-rules'
import type { MeasureAsk } from './measure-ask'
import type { Aggregate, DateDifferenceUnit } from '../../../../shared/query/functions'

const DURATION_AGGREGATES: readonly [RegExp, Aggregate][] = [
  [/average|avg|mean|genomsnitt|snitt|medel/, 'avg'],
  [/longest|max|langsta/, 'max'],
  [/shortest|minimum|fastest|quickest|kortaste/, 'min'],
  [/median/, 'median'],
  [/total|sum/, 'sum'],
]
export function durationOf(found: RegExpExecArray): MeasureAsk {
  const { agg = '', unit = '', from, to } = found.groups ?? {}
  return {
    kind: 'duration',
    agg: aggregateIn(agg),
    unit: unitIn(unit),
    from: numberIn(from),
    to: numberIn(to),
  }
}

/** "Average length of treatments in days": from where they begin to where they end. */
export function spanOf(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const { agg = '', also = '', unit = also, of } = found.groups ?? {}
  if (!refersTo(encoded, numberIn(of), 'dataset')) return null
  return {
    kind: 'span',
    agg: aggregateIn(agg),
    unit: unitIn(unit),
    of: numberIn(of),
  }
}

const UNIT = '(?<unit>days|hours|minutes|dagar|timmar|minuter)'
const AGG =
  '(?<agg>average|avg|mean|median|longest|shortest|maximum|minimum|genomsnittlig\\w*|snittet|medel|langsta|kortaste)'
/** What begins with one day and ends with another, by the noun of what ends it: "resolution time", "leveranstid". */
export const ELAPSED: readonly Rule[] = [
  rule(
    `${AGG} ${DET}(?:<m\\d+> )?(?<what><m\\d+>|[a-z]{5,}) time(?: in ${UNIT})?(?! (?:of|for|between|from|to))`,
    elapsed,
  ),
  rule(`(?:${AGG} )?${DET}(?<what>[a-z]{4,}s)tid(?:en|er)?(?: (?:i|in) ${UNIT})?`, elapsed),
]
function elapsed(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const { agg = '', unit = '', what = '' } = found.groups ?? {}
  const mention = what.startsWith('<m') ? encoded.mentions[numberIn(what)] : undefined
  if (what.startsWith('<m') && mention?.namesDate !== true) return null
  return { kind: 'elapsed', agg: aggregateIn(agg), unit: unitIn(unit), until: mention?.words ?? what }
}
export const aggregateIn = (words: string): Aggregate =>
  DURATION_AGGREGATES.find(([each]) => each.test(words))?.[1] ?? 'avg'
export const unitIn = (words: string): DateDifferenceUnit =>
  /hour|timm/.test(words) ? 'hour' : /minut/.test(words) ? 'minute' : 'day'
