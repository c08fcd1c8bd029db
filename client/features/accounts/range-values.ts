import { accountClassesSchema } from '../../../src/shared/account-classes'
import type { AccountLine, AccountRange } from '../../../src/shared/account-classes'
import { checkWith } from '../../lib/validate-form'

/** A range while it is typed: '' = no number yet. */
export interface RangeValues {
  /** Of this row of the form, whatever is typed in it. */
  key: string
  from: number | string
  to: number | string
  line: AccountLine
}
export interface AccountValues {
  ranges: RangeValues[]
}

export const valuesOf = (ranges: readonly AccountRange[]): AccountValues => ({
  ranges: ranges.map((range, at) => ({ key: `stored ${at}`, ...range })),
})

/** By account, so that what overlaps stands side by side; rows without a number come last. */
export const inOrder = (ranges: readonly RangeValues[]): RangeValues[] =>
  ranges.toSorted((a, b) => placeOf(a) - placeOf(b))
const placeOf = ({ from }: RangeValues): number => (typeof from === 'number' ? from : Number.POSITIVE_INFINITY)

const bare = ({ from, to, line }: RangeValues) => ({ from, to, line })
const check = checkWith(accountClassesSchema)
/** The first sentence beside each field. */
export const checkAccounts = ({ ranges }: AccountValues): Record<string, string> =>
  check({ ranges: ranges.map(bare), version: 0 })

/** The ranges as they are sent; null while one of them has no numbers. */
export function rangesOf({ ranges }: AccountValues): AccountRange[] | null {
  const whole = ranges.flatMap(({ from, to, line }) =>
    typeof from === 'number' && typeof to === 'number' ? [{ from, to, line }] : [],
  )
  return whole.length === ranges.length ? whole : null
}
