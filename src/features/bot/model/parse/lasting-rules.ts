import { refersTo, type Encoded } from './encoded'
import { aggregateIn, unitIn } from './elapsed-rules'
import { rule, type Rule } from './over-time-rules'
import type { MeasureAsk } from './measure-ask'

const AGG =
  '(?<agg>total|sum of|average|avg|mean|median|longest|shortest|totala?|totalt|summan av|genomsnittlig\\w*|snittet av|medel)'
const SPENT =
  '(?:logged|worked|tracked|registered|reported|recorded|spent|booked|billed|nedlagda?|arbetade?|arbetad|loggade?|loggad|rapporterade?|rapporterad|registrerade?|registrerad|nedlagd)'
const UNIT = '(?<unit>hours|minutes|timmar|minuter)'
const lasting = ({ groups = {} }: RegExpExecArray): MeasureAsk => ({
  kind: 'lasting',
  agg: groups['agg'] === undefined ? 'sum' : aggregateIn(groups['agg']),
  unit: groups['unit'] === undefined ? null : unitIn(groups['unit']),
})

/** How much time rows say that something took: "how many hours", where a column holds minutes; "logged time". */
export const LASTING: readonly Rule[] = [
  rule(
    `(?:how many|hur manga|(?:${AGG} )?(?:number of|antal(?:et)?)) (?:of the |the |de )?(?:${SPENT} )?${UNIT}(?! (?:between|from|fran|mellan|it|to|till))`,
    lasting,
  ),
  rule(`${AGG} (?:of |av )?(?:the |all )?(?:${SPENT} )?${UNIT}(?! (?:between|from|fran|mellan|it|to|till))`, lasting),
  rule(`${SPENT} ${UNIT}`, lasting),
  rule(`${UNIT} ${SPENT}`, lasting),
  rule(`(?<=(?:most|least|fewest|mest|flest|minst) )${UNIT}`, lasting),
  rule(`^${UNIT}(?= (?:per|by|for|each|efter|pa|i|<d))`, lasting),
  rule(
    `(?:how much |hur mycket |(?:the )?total |totala? )?(?:${SPENT} (?:time|tid(?:en)?)|(?:time|tid) ${SPENT})`,
    lasting,
  ),
  rule('(?:how much|hur mycket) (?:time|tid)', lasting),
  rule('(?<=(?:most|least|mest|minst) )(?:time|tid)', lasting),
]

/** "The most billable time": the time of what is so. */
export function turnKindOfTime(encoded: Encoded): void {
  encoded.text = encoded.text.replaceAll(
    /<m(\d+)> (time|hours|minutes|tid|timmar|minuter)(?= |$)/g,
    (whole, at: string, unit: string) =>
      encoded.mentions[Number(at)]?.namesYesNo === true && refersTo(encoded, Number(at), 'column')
        ? `${unit} that are <m${at}> ,`
        : whole,
  )
}
