import { MAY_NOT_HAPPEN } from '../language/verbs'
import { M, marksIn, numberIn, refersTo, V, type Encoded } from './encoded'
import { rule, type Rule } from './over-time-rules'
import type { MeasureAsk } from './measure-ask'

const KIND = `(?:${V} (?:or |eller |and |och )?|(?:not )?${M} )*`
const PART = (name: string): string =>
  `(?:the )?(?:number of |total number of |count of |antalet |antal )?(?<all${name}>all (?:the )?|total |alla )?(?<kinds${name}>${KIND})(?<of${name}>${M})(?: (?:that|which|who|where|with) (?:is|are|was|were|have|has|been)(?: been)? (?<said${name}>(?:not )?(?:${V}|${M})))?`

/** "The ratio of open shops to closed shops", "of returned orders to all orders". */
export const RATIOS: readonly Rule[] = [
  // "Sent orders divided by closed orders".
  rule(
    `${PART('1')} (?:divided by|as a share of|as a percentage of|as (?:a )?percent of|i procent av|som andel av|delat med|/) ${PART('2')}`,
    ({ groups = {} }, encoded) => {
      const [left, right] = [partOf(encoded, groups, '1'), partOf(encoded, groups, '2')]
      const isTold = left?.only !== undefined || right?.only !== undefined
      return left && right && isTold ? { kind: 'calc', op: 'divide', left, right } : null
    },
  ),
  rule(
    `(?:ratio|proportion|share|fraction|kvoten|forhallandet) (?:of|between|mellan) ${PART('1')} (?:to|and|over|out of|vs|versus|och|mot) ${PART('2')}(?! (?:ratio|that|who|which|with))`,
    ({ groups = {} }, encoded) => {
      const [left, right] = [partOf(encoded, groups, '1'), partOf(encoded, groups, '2')]
      const isTold = left?.only !== undefined || right?.only !== undefined
      return left && right && isTold ? { kind: 'calc', op: 'divide', left, right } : null
    },
  ),
]
function partOf(
  encoded: Encoded,
  groups: Readonly<Record<string, string | undefined>>,
  name: '1' | '2',
): MeasureAsk | null {
  const of = numberIn(groups[`of${name}`])
  const said = `${groups[`kinds${name}`] ?? ''} ${groups[`said${name}`] ?? ''}`
  const flags = [...said.matchAll(/(not )?<m(\d+)>/g)].map((found) => ({
    of: Number(found[2]),
    isEmpty: found[1] !== undefined,
  }))
  const values = marksIn(said, 'v')
  const isRead = flags.every((flag) => isFlag(encoded, flag.of)) && !/not <v/.test(said)
  if (!refersTo(encoded, of, 'dataset') || !isRead) return null
  const count: MeasureAsk = { kind: 'count', of, distinct: false }
  return values.length + flags.length === 0 ? count : { ...count, only: { values, dates: [], flags } }
}
/** Yes or no, or the day of what happens to some only. */
const isFlag = ({ mentions }: Encoded, at: number): boolean => {
  const mention = mentions[at]
  return mention?.namesYesNo === true || (mention?.namesDate === true && MAY_NOT_HAPPEN.test(mention.words))
}
