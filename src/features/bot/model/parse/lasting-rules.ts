import { refersTo, type Encoded } from './encoded'
import { aggregateIn, unitIn } from './elapsed-rules'
import { rule, type Rule } from './over-time-rules'
import { wordTable } from '../../../../lib/word-table'
import type { Aggregate } from '../../../../shared/query/functions'
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
  rule(
    '(?<=(?:share|percentage|percent|part|proportion|andel|del) (?:of|av) )(?:(?:our|the|all|var|vara) )?(?:time|tid(?:en)?)',
    lasting,
  ),
  rule('(?<=(?:most|least|mest|minst) )(?:time|tid)', lasting),
]

/** "The average age of our members", where no heading says it. */
export const AGES: readonly Rule[] = [
  rule(
    '(?:(?:the|our) )?(?<agg>average|avg|mean|median|genomsnittliga?|highest|lowest) (?:age|alder(?:n)?)(?:(?: of| among| pa| av) (?:our |the |all |vara |de )?)?',
    ({ groups = {} }) => ({ kind: 'age', agg: AGE_AGGREGATES[groups['agg'] ?? ''] ?? 'avg' }),
  ),
  rule('(?:medelalder(?:n)?|snittalder(?:n)?)(?:(?: pa| av| bland) (?:vara |de |alla )?)?', () => ({
    kind: 'age',
    agg: 'avg',
  })),
]
const AGE_AGGREGATES: Readonly<Record<string, Aggregate>> = wordTable({
  median: 'median',
  highest: 'max',
  lowest: 'min',
})
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
