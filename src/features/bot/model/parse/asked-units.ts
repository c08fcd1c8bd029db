import { tidy, type Encoded } from './encoded'
import type { QuestionParts } from './ask'
import { wordTable } from '../../../../lib/word-table'

/** "Which month had the highest …": the unit of time is what is asked for. */
export function parseAskedUnit(encoded: Encoded, ask: QuestionParts): void {
  const found =
    /^(?:on |in |during |at |under )?(?:which|what|vilken|vilket) (?<unit>hour of the day|hour|timme pa dygnet|timme pa dagen|timme|day of the week|weekday|day|date|week|month|quarter|year|veckodag|dag|vecka|manad|kvartal|ar)(?: |$)(?!of |is |was )/.exec(
      encoded.text,
    )
  parseUnitsOfLimit(encoded, ask)
  const unit = found?.groups?.['unit']
  if (!found || unit === undefined || ask.rank === null) return
  // "Vilken är vår största kund": no year.
  if (unit === 'ar' && encoded.spelt.get(unit) !== 'år') return
  const grain = UNITS_ASKED[unit]
  const part = /^(?:hour|timme)/.test(unit) ? ('hourOfDay' as const) : ('weekday' as const)
  const spec = grain ? ({ kind: 'grain', grain } as const) : ({ kind: 'datePart', part } as const)
  ask.splits.push({ kind: 'date', at: encoded.dates.push(spec) - 1 })
  encoded.text = tidy(encoded.text.slice(found[0].length))
}
const UNITS_ASKED: Readonly<Record<string, 'day' | 'week' | 'month' | 'quarter' | 'year'>> = wordTable({
  day: 'day',
  date: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  dag: 'day',
  vecka: 'week',
  manad: 'month',
  kvartal: 'quarter',
  ar: 'year',
})

const PLURALS: Readonly<Record<string, 'day' | 'week' | 'month' | 'quarter' | 'year'>> = wordTable({
  days: 'day',
  weeks: 'week',
  months: 'month',
  quarters: 'quarter',
  years: 'year',
  dagar: 'day',
  veckor: 'week',
  manader: 'month',
})
const OF_UNITS = new RegExp(
  `^(?:(?:which|what|list|show|vilka|lista|visa) (?:the |me |de )?)?(${Object.keys(PLURALS).join('|')}) `,
)
/** Whether units of time are what is listed: "days with sales above 5000". */
export const isOfUnits = (source: string): boolean => OF_UNITS.test(source)
/** Units of time of which a figure has a limit. */
function parseUnitsOfLimit(encoded: Encoded, ask: QuestionParts): void {
  const found = OF_UNITS.exec(encoded.text)
  const grain = PLURALS[found?.[1] ?? '']
  if (!found || grain === undefined || ask.conditions.length === 0) return
  ask.splits.push({ kind: 'date', at: encoded.dates.push({ kind: 'grain', grain }) - 1 })
  encoded.text = tidy(encoded.text.slice(found[0].length))
}
