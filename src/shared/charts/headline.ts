import type { Viz } from '../insights'
import { describePeriodData } from '../query/partial-bucket'
import type { Cell, QueryResult, ResolvedPeriod, ResultColumn } from '../query/result'
import { shareOfChange } from '../figures/figures'
import { columnsOfKind } from './chart-model'
import { toNumber, type CellFormatter } from '../figures/cell-formatter'

export interface KeyFigure {
  column: ResultColumn
  value: Cell
  previous: Cell
  change: Cell
  /** Share of the previous figure; null from a base of zero or less, and for figures in per cent. */
  share: number | null
}

/** The row that speaks for the whole answer: its totals, or its only row when it has no dimension. */
function totalsRow(result: QueryResult): Cell[] | null {
  if (result.totals) return result.totals
  const dimensions = result.columns.some((column) => column.kind === 'dimension')
  return dimensions ? null : (result.rows[0] ?? null)
}

const cellOf = (result: QueryResult, row: Cell[], kind: ResultColumn['kind'], measure: number): Cell => {
  const at = result.columns.findIndex((column) => column.kind === kind && column.measure === measure)
  return at < 0 ? null : (row[at] ?? null)
}

/** The key figure of the measure at `index` (0-based), or null when the answer has no figure for the whole. */
export function keyFigure(result: QueryResult, index = 0): KeyFigure | null {
  const row = totalsRow(result)
  const measure = columnsOfKind(result, 'measure')[index]
  if (!row || !measure || result.kind !== 'aggregate') return null
  const value = row[measure.at] ?? null
  const previous = cellOf(result, row, 'previous', index)
  const now = toNumber(value)
  const before = toNumber(previous)
  const reportedChange = cellOf(result, row, 'change', index)
  // A share of a share beside points would be read as the points.
  const points = measure.column.format.style === 'percent'
  return {
    column: measure.column,
    value,
    previous,
    change: reportedChange ?? (now === null || before === null ? null : now - before),
    share: points || now === null || before === null ? null : shareOfChange(now, before),
  }
}

export const keyFigures = (result: QueryResult): KeyFigure[] =>
  columnsOfKind(result, 'measure').flatMap((_, at) => keyFigure(result, at) ?? [])

export type ChangeVerdict = 'good' | 'bad' | 'neutral'

export function changeVerdict(change: number | null, direction: Viz['direction']): ChangeVerdict {
  if (change === null || change === 0 || direction === 'none') return 'neutral'
  return change > 0 === (direction === 'up') ? 'good' : 'bad'
}

const changeVerb = (change: number): string => (change > 0 ? 'rose' : 'fell')

/** What is compared with, and what is missing of it: "2024 (data from 16 Sep 2024)". */
export function describeCompared(compared: ResolvedPeriod, day: (iso: string) => string): string {
  const missing = describePeriodData(compared, day)
  return missing === null ? compared.label : `${compared.label} (${missing})`
}

/** The period in words, with what is missing of it. */
export function describeResultPeriod(
  { period }: Pick<QueryResult, 'period'>,
  day: (iso: string) => string,
): string | null {
  if (!period) return null
  const label = period.incomplete ? `${period.label} so far` : period.label
  const missing = describePeriodData(period, day)
  return missing === null ? label : `${label}, ${missing}`
}

/**
 * One sentence that says what the figures say: "Sales fell 12,4 % (−184 tkr) vs Jan–Mar 2025." Never a cause. Null when
 * there is nothing to say.
 */
export function headline(result: QueryResult, format: CellFormatter): string | null {
  const key = keyFigure(result)
  if (result.rowCount === 0 || !key || toNumber(key.value) === null) return null
  const name = key.column.label
  const compare = result.period?.compare
  const change = toNumber(key.change)
  const now = format.sentence(key.value, key.column)
  if (!compare || change === null) {
    const during = describeResultPeriod(result, format.day)
    // The key figure beneath says it in full.
    return during ? `${name}: ${now} (${during.replace(/^All time/, 'all time')}).` : null
  }
  const soFar = result.period?.incomplete ? ' so far' : ''
  const against = describeCompared(compare, format.day)
  if (change === 0) return `No change in ${name}${soFar} vs ${against}: ${now}.`
  const amount = format.signedSentence(key.change, key.column)
  // The verb says which way it went: "rose by 500 kr".
  const by =
    key.share === null ? `by ${amount.replace(/^[+\u2212-]/, '')}` : `${format.share(Math.abs(key.share))} (${amount})`
  return `${name} ${changeVerb(change)} ${by}${soFar} vs ${against}.`
}
