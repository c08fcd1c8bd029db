import { findDates } from '../dates/find-dates'
import type { Calendar } from '../../../../shared/dates'
import type { Token } from '../language/words'
import type { Encoded } from './encoded'

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
/** Dates stand in what no name has taken; a piece that was taken breaks them. */
export function parseDates(tokens: readonly Token[], calendar: Calendar, { encoded, pieces, isFree }: Work): void {
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
