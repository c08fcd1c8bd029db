import { D, M, numberIn, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { QuestionParts } from './ask'
import type { CalendarUnit } from '../../../../shared/dates'
import { wordTable } from '../../../../lib/word-table'

const UNITS: Readonly<Record<string, CalendarUnit>> = wordTable({
  days: 'day',
  dagar: 'day',
  weeks: 'week',
  veckor: 'week',
  months: 'month',
  manader: 'month',
  quarters: 'quarter',
  kvartal: 'quarter',
  years: 'year',
})
/** "Days without any conversions": units of time in which a figure of the rows comes to nothing. */
export function parseIdleUnits(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `^(?:(?:which|what|on which|list|show|vilka|lista|visa) (?:the |me |de )?)?(?<unit>${Object.keys(UNITS).join('|')})(?<when>(?: (?:in|during|of|i|under))? <d\\d+>)? (?:(?:that|which|som) )?(?:(?:have|has|had|hade|har|were|was|with|did we have|hade vi) )*(?:without|no|zero|utan|inga|ingen|inget|saknar|saknade)(?: any| nagra| nagon)? (?<of>${M})`,
    (found) => {
      const { unit = '', of, when = '' } = found.groups ?? {}
      const grain = UNITS[unit]
      if (grain === undefined || encoded.mentions[numberIn(of)]?.namesNumber !== true) return null
      ask.idle = { of: numberIn(of), grain }
      return ` ${when} `
    },
  )
}

/** So long nobody has come who came before, where it is not said how long. */
const SILENT_MONTHS = 3
/** "Which customers haven't bought anything since June?" */
export function parseSilent(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    '(?:(?:that|which|who|som) )?(?:have|has|had|har|hade)? ?(?:gone silent|tystnat)(?: (?<n>\\d{1,2}) (?:months|manader))?(?= ?(?:$|[?.,]))',
    (found) => {
      ask.silent = { months: Number(found.groups?.['n'] ?? SILENT_MONTHS) }
      return ' '
    },
  )
  const bought = '(?:bought|ordered|purchased|booked|kopt|bestallt|handlat|bokat)'
  const anything = '(?:anything|something|nagot|nagonting|varor)'
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|som) )?(?:(?:have|has|had|har|hade) (?:not|inte)|havent|hasnt|haven t|hasn t|inte (?:har|hade)|inte)(?: yet)? ${bought}(?: ${anything})?(?: (?:from us|av oss|hos oss))? (?<d>${D})`,
    (found) => {
      const at = numberIn(found.groups?.['d'])
      const spec = encoded.dates[at]
      if (spec?.kind !== 'open' || spec.from === undefined || spec.to !== undefined) return null
      // Things with a table of their own are asked whether rows point at them.
      if (encoded.mentions.some(({ matches: [best] }) => best?.ref.kind === 'dataset')) return null
      ask.silent = { since: at }
      return ' '
    },
  )
}
