import { ATTRIBUTION, CURRENCY_MODE_LABELS } from '../shared/currencies'
import { describeDataRange, describePeriodData } from '../shared/query/partial-bucket'
import type { Cell, CurrencyConversion } from '../shared/query/result'
import type { AnswerTable } from './answer-table'
import type { CalendarContext } from './calendar'

/** A moment on the workspace's clock: `2026-03-01 14:05`. */
export const formatLocalTime = (at: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(at))

/** By which rates figures came to be in one currency: a line for each currency, and for what was left out. */
export function rateLines(conversion: CurrencyConversion | undefined): Cell[][] {
  if (!conversion) return []
  const { code, mode, lines, missing } = conversion
  return [
    ['Currency', code, CURRENCY_MODE_LABELS[mode], ATTRIBUTION],
    ...lines.map(({ currency, amount, rows, rate, from, to, source, mode: own }): Cell[] => [
      `1 ${currency} in ${code}`,
      rate.least,
      ...(rate.greatest === rate.least ? [null] : [rate.greatest]),
      ...[from, to, source, amount, rows],
      ...(own ? [CURRENCY_MODE_LABELS[own]] : []),
    ]),
    ...missing.map(({ currency, amount, rows, from, to }): Cell[] => [
      `No rate: ${currency === '' ? 'no currency' : currency}`,
      ...[null, null, from, to, null, amount, rows],
    ]),
  ]
}

interface ExportContextRequest {
  context: Pick<CalendarContext, 'deps' | 'calendar'>
  table: Pick<AnswerTable, 'answer' | 'rowCount'>
  /** Who takes the figures with them. */
  by: string
  /** What was exported, and its name. */
  name: [string, string]
}

/** What the figures of a file are, so that it explains itself years later. */
export function exportContext({ context, table, by, name }: ExportContextRequest): Cell[][] {
  const { deps, calendar } = context
  const { words, columns, period, dataAsOf, datasets, conversion, unconverted } = table.answer
  const missing = (of: { from: string; dataFrom?: string; dataTo?: string } | null | undefined): string => {
    const told = of ? describePeriodData(of, (day) => day) : null
    return told === null ? '' : ` (${told})`
  }
  const compared = period?.compare ? ` vs ${period.compare.label}${missing(period.compare)}` : ''
  const partial = columns.flatMap((column) => column.partial ?? [])
  return [
    name,
    ['Query', words],
    [
      'Period',
      period ? `${period.label}${compared}${period.incomplete ? ' (incomplete)' : missing(period)}` : 'All time',
    ],
    ...partial.map((bucket): Cell[] => ['Incomplete', bucket.start, describeDataRange(bucket, (day) => day)]),
    ['Source', datasets.map((dataset) => dataset.name).join(', ')],
    ['Updated', dataAsOf === null ? null : formatLocalTime(dataAsOf, calendar.timeZone)],
    ['Rows', table.rowCount],
    ...rateLines(conversion),
    ...(unconverted ? [['Currency', `Not converted to ${unconverted.code}: not included in your plan`]] : []),
    ['Exported by', by],
    ['Exported', `${formatLocalTime(deps.clock.now(), calendar.timeZone)} (${calendar.timeZone})`],
  ]
}
