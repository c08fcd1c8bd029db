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
