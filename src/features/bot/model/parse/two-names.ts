import { numberIn, refersTo, type Encoded } from './encoded'
import type { MeasureAsk } from './measure-ask'

/** "number of car sales": the last name is what is counted; of two columns, the first. */
export function twoNames(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const [one, two] = [numberIn(found[1]), numberIn(found[2])]
  const ofTwo = refersTo(encoded, two, 'dataset') || refersTo(encoded, two, 'column')
  // "How many students major in …": a heading that a condition begins with is not counted.
  const isCondition = /^ ?(?:in|at|as|from|is|are|=|<v|<d|not|over|above|under|below|between|more|less)/.test(
    found.input.slice(found.index + found[0].length),
  )
  if (isCondition && !refersTo(encoded, two, 'dataset')) return null
  return refersTo(encoded, one, 'dataset') && ofTwo ? { kind: 'count', of: two, distinct: false } : null
}

/** "the amount of payments" is their money; of what has none it is their number. */
export function amountOf(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const of = numberIn(found[2])
  const isAverage = /^av/.test(found[1] ?? '')
  return refersTo(encoded, of, 'dataset')
    ? { kind: 'aggregate', agg: isAverage ? 'avg' : 'sum', of, money: true }
    : { kind: 'aggregate', agg: isAverage ? 'avg' : 'sum', of }
}
