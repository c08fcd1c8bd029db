import { M, numberIn, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { ComparisonOperator } from '../../../../shared/query/functions'
import type { QuestionParts } from './ask'

const WAYS: readonly (readonly [string, ComparisonOperator])[] = [
  ['(?:less|lower|smaller|fewer|cheaper|earlier|shorter) than|below|under|lagre an|mindre an|billigare an', 'lt'],
  ['(?:more|higher|greater|larger|bigger|longer) than|above|over|exceeds?|exceeding|hogre an|storre an|mer an', 'gt'],
  ['(?:different|other) than|different from|not equal to|differs? from|skiljer sig fran', 'ne'],
  ['equal to|equals|the same as|lika med', 'eq'],
]
const WAY = `(?<way>${WAYS.map(([words]) => words).join('|')})`
const IS = '(?:(?:(?:that|which|who|som) )?(?:is|are|was|were|being|ar|var) )?'

/** "At a price below their cost": two figures of one row, or of a row that it points at. */
export function parseColumnComparisons(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `(?:(?:whose|where|with|at|for|had|has|have) )?(?:an? |the |their |its )?(?<one>${M}) ${IS}${WAY} (?:(?:the|their|its|his|her|own|deras|sitt|sin|det|den) )*(?<two>${M})(?! ?(?:in|of|for|by) <)`,
    (found) => {
      const { one, way = '', two } = found.groups ?? {}
      const op = WAYS.find(([words]) => new RegExp(`^(?:${words})$`).test(way))?.[1]
      if (op === undefined || !isNumber(encoded, one) || !isNumber(encoded, two)) return null
      ask.compared.push({ one: numberIn(one), op, two: numberIn(two) })
      return ' '
    },
  )
}
const isNumber = ({ mentions }: Encoded, mark: string | undefined): boolean =>
  mentions[numberIn(mark)]?.namesNumber === true
