import { D, M, marksIn, numberIn, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { QuestionParts } from './ask'

/** "Cancelled in 2024, based on the check-in date": which day is meant. */
export function parseBasis(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `,? ?(?:[(] )?(?:based on|by|using|going by|according to|counted by|enligt|utifran|raknat pa) (?:the |their |its )?(?<m>${M})(?: date| day)?(?: [)])?(?= ?(?:$|[?.]))`,
    (found) => {
      const at = numberIn(found.groups?.['m'])
      const dates = marksIn(encoded.text, 'd').filter((each) =>
        /^(?:period|open)$/.test(encoded.dates[each]?.kind ?? ''),
      )
      const [date, other] = dates
      const isBasis = !/^ ?,? ?by /.test(found[0]) || encoded.dates.every(({ kind }) => kind !== 'grain')
      if (encoded.mentions[at]?.namesDate !== true || date === undefined || other !== undefined || !isBasis) return null
      ask.dated.set(date, at)
      return ' '
    },
  )
}
/** "Valid on the first of May": from the day it begins to the day it ends. */
export function parseInForce(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|som) )?(?:is|are|was|were|ar|var)?(?: still)? ?(?<word>valid|in force|in effect|effective|giltiga?|gallande|gallde|inneliggande) (?<d>${D})`,
    ({ groups = {} }) => {
      const at = numberIn(groups['d'])
      const { word = '' } = groups
      if (encoded.dates[at]?.kind !== 'period') return null
      ask.inForce.push(at)
      encoded.unknown = encoded.unknown.filter((each) => each.toLowerCase() !== word)
      return ' '
    },
  )
}
/** "hired between 2022 and 2023": the name beside a date says which date is meant, and lists nothing. */
export function parseDated(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `(?<m>${M}) (?:date |day |is |was |were |are |falls |made |on |in |within )*(?<d>${D})`,
    (found) => {
      const [m, d] = [numberIn(found.groups?.['m']), numberIn(found.groups?.['d'])]
      const isDated = encoded.dates[d]?.kind === 'period' || encoded.dates[d]?.kind === 'open'
      if (!isDated || encoded.mentions[m]?.namesDate !== true) return null
      ask.dated.set(d, m)
      return ` ${found.groups?.['d'] ?? ''} `
    },
  )
}
