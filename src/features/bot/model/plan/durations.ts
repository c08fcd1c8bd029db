import { columnOfRef, fieldOf, isReachable, meaningsOf, Unreadable, type Context } from './context'
import { datasetAt } from './entities'
import type { MeasureAsk } from '../parse/measure-ask'
import type { Measure } from '../../../../shared/query/plan'

const BEGINS =
  /^(?:start|begin|began|begun|open|opened|from|effective|admission|admitted|checkin|hire|hired|startdatum|borjan|borjar)$/
const ENDS =
  /^(?:end|ended|close|closed|to|expir\w*|discharge|discharged|checkout|stop|finish|finished|slut|slutdatum|slutar)$/
/** From the day that begins a thing to the day that ends it. */
export function spanOf(context: Context, { agg, unit, of }: MeasureAsk & { kind: 'span' }): Measure {
  const dates = datasetAt(context, of)?.columns.filter(({ isDate }) => isDate) ?? []
  const [begin, ...begins] = dates.filter(({ words }) => words.some((word) => BEGINS.test(word)))
  const [end, ...ends] = dates.filter(({ words }) => words.some((word) => ENDS.test(word)))
  if (!begin || !end || begins.length > 0 || ends.length > 0 || !isReachable(context, begin.dataset))
    throw new Unreadable('no_metric', 'Nothing says when these begin and end.')
  return { kind: 'expression', agg, row: { kind: 'dateDiff', unit, from: fieldOf(begin), to: fieldOf(end) } }
}

/** Between two days that the question names. */
export function durationOf(context: Context, ask: MeasureAsk & { kind: 'duration' }): Measure {
  const [from, to] = [ask.from, ask.to].map((at) =>
    meaningsOf(context, at, (ref) => (columnOfRef(context, ref)?.isDate === true ? 1 : 0)).find(
      ({ score }) => score > 0,
    ),
  )
  const [start, end] = [from && columnOfRef(context, from.ref), to && columnOfRef(context, to.ref)]
  if (!start || !end) throw new Unreadable('no_metric', 'A duration needs two dates.')
  return {
    kind: 'expression',
    agg: ask.agg,
    row: { kind: 'dateDiff', unit: ask.unit, from: fieldOf(start), to: fieldOf(end) },
  }
}
