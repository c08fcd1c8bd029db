import { daysOf, findDates } from '../dates/find-dates'
import { isoFromDay, startOfUnit, type Calendar, type CalendarUnit } from '../../../../shared/dates'
import { D, numberIn, type Encoded } from './encoded'
import { foldText } from '../../../../shared/bot/fold-text'
import { SEASON_PATTERN } from '../dates/date-words'
import type { Lexicon } from '../schema/lexicon'
import type { Token } from '../language/words'

/** Words that a mark stands for. */
export interface Piece {
  from: number
  to: number
  mark: string
}
/** A question while its words become marks. */
export interface Work {
  encoded: Encoded
  pieces: Piece[]
  isFree: (from: number, to: number) => boolean
}

const NUMBERED_BEFORE =
  /(?<!\b(?:per|by|each|every|varje|antal) )\b(?:konto|kontot|account|order|ordernr|faktura|fakturan|invoice|kund|kundnr|artikel|projekt|rum|room|nr|nummer|number|kostnadsstalle) $/
const isNumberOfThing = (before: string, said: string): boolean =>
  /^\d{4} ?$/.test(said.trim()) && NUMBERED_BEFORE.test(before)
const SEASON = new RegExp(`(?<![a-z])(?:${SEASON_PATTERN})(?![a-z])`)
const saysSeason = ({ schema }: Lexicon): boolean =>
  schema.datasets.some(({ columns }) =>
    columns.some(
      ({ words, source: { values = [] } }) =>
        words.some((word) => /^(?:seasons?|terms?|semesters?|sasong|termin)$/.test(word)) ||
        values.some((value) => SEASON.test(foldText(String(value)))),
    ),
  )
/** Dates stand in what no name has taken; a piece that was taken breaks them. */
export function parseDates(
  tokens: readonly Token[],
  { calendar, lexicon }: { calendar: Calendar; lexicon: Lexicon },
  { encoded, pieces, isFree }: Work,
): void {
  const places: { from: number; to: number; token: number }[] = []
  let text = ''
  tokens.forEach((token, i) => {
    const word = isFree(i, i + 1) ? token.word : '<x>'
    places.push({ from: text.length, to: text.length + word.length, token: i })
    text += `${word} `
  })
  for (const { from, to, spec } of findDates(text, calendar)) {
    // "Account 1930", "order 2024": a number of what is numbered, and no year.
    if (isNumberOfThing(text.slice(0, from), text.slice(from, to))) continue
    // "In autumn" of terms that are called so.
    if (SEASON.test(text.slice(from, to)) && saysSeason(lexicon)) continue
    const within = places.filter((place) => place.from < to && from < place.to).map(({ token }) => token)
    const [first, last] = [within[0], within.at(-1)]
    if (first === undefined || last === undefined || !isFree(first, last + 1)) continue
    encoded.dateWords.push(
      tokens
        .slice(first, last + 1)
        .map((token) => token.text)
        .join(' '),
    )
    pieces.push({ from: first, to: last + 1, mark: `<d${encoded.dates.push(spec) - 1}>` })
  }
}

const AGAINST = '(?:(?:,|and|och) )?(?:versus|vs|compared (?:to|with)|against|jamfort med|mot|kontra|than|an)'
const COMPARE = /\b(?:compare|jamfor|compared|jamfort)\b/
const UNITS: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year']

/** "Sales in October compared with September": each of the two units of time beside the other. */
export function besidePeriods(text: string, encoded: Encoded, calendar: Calendar): string {
  const joined = COMPARE.test(text) ? `(?:${AGAINST}|and|och|with|med)` : AGAINST
  const both = new RegExp(`(${D}) (?:\\? )?${joined} (?:(?:in|for|during|i|under|the) )*(${D})`)
  return text.replace(both, (whole: string, one: string, two: string) => {
    const ranges = [one, two].map((mark) => unitAt(encoded, numberIn(mark), calendar))
    const [first, second] = ranges
    if (!first || !second || first.unit !== second.unit || first.from === second.from) return whole
    const unit = encoded.dates.push({ kind: 'grain', grain: first.unit }) - 1
    encoded.dates[numberIn(one)] = {
      kind: 'beside',
      ranges: [first, second].map(({ from, to }) => ({ from: isoFromDay(from), to: isoFromDay(to) })),
    }
    return `per <d${unit}> ${one}`
  })
}

/** The unit of time that a period is one of, as far as it has gone. */
function unitAt(
  { dates }: Encoded,
  at: number,
  calendar: Calendar,
): { unit: CalendarUnit; from: number; to: number } | null {
  const spec = dates[at]
  const days = spec?.kind === 'period' && spec.compare === undefined ? daysOf(spec.range, calendar) : null
  if (!days) return null
  // What runs has come as far as today.
  const range = spec?.kind === 'period' ? spec.range : undefined
  const current = range?.kind === 'relative' && range.span === 'this' ? range.unit : undefined
  const unit = UNITS.find(
    (each) =>
      startOfUnit(days.from, each, calendar) === days.from &&
      (each === current || startOfUnit(days.from, each, calendar, 1) - 1 === days.to),
  )
  return unit ? { unit, ...days } : null
}
