import type { DatabaseRefusal } from '../databases/refusals'

const codes = (refusal: DatabaseRefusal, ...numbers: number[]): [number, DatabaseRefusal][] =>
  numbers.map((code) => [code, refusal])

/** Numbers of ClickHouse's errors by what they mean here. */
const REFUSALS: ReadonlyMap<number, DatabaseRefusal> = new Map([
  ...codes('password', 192, 193, 194, 516),
  ...codes('database', 81, 291),
  ...codes('permission', 497),
  ...codes('timeout', 159, 160, 209),
  ...codes('full', 202, 203, 210),
  ...codes('missing', 16, 47, 60),
  ...codes('statement', 6, 43, 53, 62, 70, 386, 456),
  ...codes('read_only', 164),
])

export const refusalOfCode = (code: number): DatabaseRefusal => REFUSALS.get(code) ?? 'other'
