import { DET, M, numberIn, V, type Encoded } from './encoded'
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
  const isThing = encoded.mentions[numberIn(of)]?.matches.some(
    ({ ref, score }) => ref.kind === 'dataset' && score >= 0.9,
  )
  if (isThing !== true) return null
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
const USUALLY = '(?:(?:i snitt|i genomsnitt|i medel|vanligtvis|on average|usually|normally|typically|in average) )?'
/** What begins with one day and ends with another, by the noun of what ends it: "resolution time", "leveranstid". */
export const ELAPSED: readonly Rule[] = [
  rule(
    `${AGG} ${DET}(?:length of (?:the |their )?stays?|stays?|stay length|number of nights|vistelsetid|antal natter)(?: (?:in|i) (?:nights|days|natter|dagar))?`,
    ({ groups = {} }) => ({ kind: 'span', agg: aggregateIn(groups['agg'] ?? ''), unit: 'day', of: null }),
  ),
  // "Delivery time in days, from shipping to delivery": the two days are said.
  rule(
    `(?:${AGG} )?${DET}(?:<m\\d+>|[a-z]{4,}) (?:time|tid)(?: (?:in|i) ${UNIT})? ?,? ?(?:from|fran|between|mellan) ${DET}(?<from>${M}) (?:to|till|and|och|until) ${DET}(?<to>${M})`,
    durationOf,
  ),
  // "Det längsta uppdraget i dagar".
  rule(
    `(?:hur lang(?:t|a)? (?:var|ar) )?${DET}(?<agg>langsta|kortaste|genomsnittliga) (?<of>${M}) i (?<unit>dagar|timmar|minuter)`,
    spanOf,
  ),
  // "How long is a treatment on average".
  rule(
    `(?:how long|hur lang(?:a|t)?(?: tid)?|hur lange) (?:is|are|does|do|did|ar|tar|varar|varade|tog|pagar|pagick|lopte|loper) ${DET}(?:en |ett )?(?<of>${M})(?: (?:take|last|lasts|long|att))?(?: on average| in average| i (?:snitt|genomsnitt)| usually| normally| vanligtvis)`,
    spanOf,
  ),
  // "How long does delivery take", "hur lång tid tar leveransen".
  rule(
    `(?:how long (?:does|do|did)|hur lang tid (?:tar|tog)|hur lange (?:tar|tog)) ${DET}(?<what>${M})(?: usually| normally| typically)?(?: take| takes)?(?: on average| in average| i (?:snitt|genomsnitt)| usually| normally)?(?= ?(?:$|[?.,]|per |by |for |<d))`,
    (found, encoded) =>
      encoded.mentions[numberIn(found.groups?.['what'])]?.namesDate === true ? elapsed(found, encoded) : null,
  ),
  // "How long does a guest stay", "hur länge stannar en gäst".
  rule(
    `(?:how long (?:does|do|did) (?:${DET}(?:an? )?${M} |(?:people|they) )stay|hur lange (?:stannar|bor|stannade|bodde) (?:en |ett |vara )?${M})(?: on average| in average| i (?:snitt|genomsnitt)| usually| normally| vanligtvis)?`,
    () => ({ kind: 'span', agg: 'avg', unit: 'day', of: null }),
  ),
  // "How long does a perm take": of what is called so, by the time that its rows say.
  rule(
    `(?:how long does|hur lange (?:tar|tog)) (?:en |ett |an? |the )?(?=${V}(?: take)?(?: on average| i snitt| i genomsnitt| normalt| usually)? ?(?:$|[?.,]| per | by ))`,
    () => ({
      kind: 'lasting',
      agg: 'avg',
      unit: null,
    }),
  ),
  rule(
    `${AGG} ${DET}(?:<m\\d+> )?(?<what><m\\d+>|[a-z]{5,}) time(?: in ${UNIT})?(?! (?:of|for|between|from|to))`,
    elapsed,
  ),
  rule(
    `${AGG} (?:time|tid(?:en)?) (?:to|until|till|tills) ${DET}(?:first |forsta )?(?<what><m\\d+>|[a-z]{4,})(?: (?:in|i) ${UNIT})?(?= ?(?:$|[?.,]|per |by |for |<d))`,
    elapsed,
  ),
  // "How many days on average does it take to pay", "hur lång tid tar det tills jobbet är utfört".
  rule(
    `(?:hur lang tid|hur lange|hur manga ${UNIT}) ${USUALLY}tar det ${USUALLY}(?:fran att [^?]{2,40}? )?(?:att|innan|tills?|tills? att) (?:${DET}(?:<m\\d+>|det|de|den) )?(?:ar |blir |har |blivit )?(?<what>[a-z]{4,}|<m\\d+>)(?= ?(?:$|[?.,]))`,
    elapsed,
  ),
  rule(
    `(?:how long|how many ${UNIT}) ${USUALLY}(?:does it|do we|did it) ${USUALLY}take ${USUALLY}(?:us )?(?:to (?:be |get )?|until ${DET}(?:<m\\d+>|it|they) (?:is|are|was|were|gets) )(?<what>[a-z]{3,}|<m\\d+>)(?: ${DET}<m\\d+>)?(?: (?:us|on average|usually|normally|typically))*(?= ?(?:$|[?.,]))`,
    elapsed,
  ),
  rule(`(?:${AGG} )?${DET}(?<what>[a-z]{4,}s)tid(?:en|er)?(?: (?:i|in) ${UNIT})?`, elapsed),
]
function elapsed(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const { agg = '', unit = '', what = '' } = found.groups ?? {}
  const mention = what.startsWith('<m') ? encoded.mentions[numberIn(what)] : undefined
  // "Loan time": how long loans last.
  const isThing = mention?.matches.some(({ ref, score }) => ref.kind === 'dataset' && score >= 0.9) === true
  if (isThing && mention?.namesDate !== true)
    return { kind: 'span', agg: aggregateIn(agg), unit: unitIn(unit), of: numberIn(what) }
  if (what.startsWith('<m') && mention?.namesDate !== true) return null
  return { kind: 'elapsed', agg: aggregateIn(agg), unit: unitIn(unit), until: mention?.words ?? what }
}
export const aggregateIn = (words: string): Aggregate =>
  DURATION_AGGREGATES.find(([each]) => each.test(words))?.[1] ?? 'avg'
export const unitIn = (words: string): DateDifferenceUnit =>
  /hour|timm/.test(words) ? 'hour' : /minut/.test(words) ? 'minute' : 'day'
