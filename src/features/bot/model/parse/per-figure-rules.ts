import { DET, M, numberIn, type Encoded } from './encoded'
import { isDefined, named, rule, type Rule } from './over-time-rules'

const isNumber = ({ mentions }: Encoded, mark: string | undefined): boolean =>
  mentions[numberIn(mark)]?.namesNumber === true
/** "Cost per conversion", "revenue per session": one figure over the other, where both are figures of rows. */
export const PER_FIGURE: readonly Rule[] = [
  // "Tips as a percentage of sales".
  rule(
    `(?:total )?(${M}) (?:as (?:a )?(?:percentage|percent|share|proportion|%) of|i (?:procent|%) av|som (?:andel|procent) av) ${DET}(?:total )?(${M})`,
    (found, encoded) =>
      isNumber(encoded, found[1]) && (isNumber(encoded, found[2]) || isDefined(encoded, numberIn(found[2])))
        ? { kind: 'calc', op: 'divide', left: named(found[1] ?? ''), right: named(found[2] ?? ''), percent: true }
        : null,
  ),
  rule(
    `(?:(?:total|average|avg|genomsnittlig\\w*) )?(${M}) (?:per|for each|for every) ${DET}(${M})`,
    (found, encoded) =>
      isNumber(encoded, found[1]) && isNumber(encoded, found[2])
        ? { kind: 'calc', op: 'divide', left: named(found[1] ?? ''), right: named(found[2] ?? '') }
        : null,
  ),
]
