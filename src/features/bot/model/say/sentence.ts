import { headline, keyFigure, describeResultPeriod } from '../../../../shared/charts/headline'
import { toNumber, type CellFormatter } from '../../../../shared/figures/cell-formatter'
import type { BotReading } from '../../../../shared/bot/interpretation'
import type { Cell, QueryResult, ResultColumn } from '../../../../shared/query/result'

const NOTHING = 'No records match.'
const NAMES_MAX = 3

/** What an answer says, in one sentence; every figure is written by the workspace's formatter. Never a cause. */
export function answerSentence(
  reading: Pick<BotReading, 'intent' | 'shown'>,
  result: QueryResult,
  format: CellFormatter,
): string {
  if (result.rowCount === 0) return NOTHING
  const said = headline(result, format)
  if (said !== null) return said
  const key = keyFigure(result)
  if (key)
    return toNumber(key.value) === null
      ? `No value for ${key.column.label}.`
      : `${key.column.label}: ${format.sentence(key.value, key.column)}.`
  if (result.kind === 'rows') return listSentence(reading, result, format)
  const measure = result.columns.findIndex(({ kind }) => kind === 'measure')
  return measure < 0 ? listSentence(reading, result, format) : groupSentence(reading, result, { format, measure })
}

const rowName = (row: Cell[], columns: readonly ResultColumn[], format: CellFormatter): string =>
  columns.flatMap((column, i) => (column.kind === 'dimension' ? [format.label(row[i] ?? null, column)] : [])).join(', ')

function groupSentence(
  { intent }: Pick<BotReading, 'intent'>,
  result: QueryResult,
  { format, measure }: { format: CellFormatter; measure: number },
): string {
  const column = result.columns[measure]
  const [first] = result.rows
  if (!column || !first) return NOTHING
  const during = describeResultPeriod(result, format.day)
  const when = during === null || result.period === null ? '' : ` (${during})`
  const figure = (row: Cell[]): string => format.sentence(row[measure] ?? null, column)
  const name = (row: Cell[]): string => rowName(row, result.columns, format)
  const isRanked = intent === 'top' || intent === 'extreme' || intent === 'bottom'
  if (result.rows.length === 1) return `${name(first)}: ${column.label} ${figure(first)}${when}.`
  if (isRanked) {
    const listed = result.rows.slice(0, NAMES_MAX).map((row) => `${name(row)} (${figure(row)})`)
    const lead = intent === 'bottom' ? 'Lowest' : 'Highest'
    return `${lead} ${column.label}${when}: ${listed.join(', ')}.`
  }
  const numbers = result.rows.flatMap((row) => {
    const value = toNumber(row[measure] ?? null)
    return value === null ? [] : [{ row, value }]
  })
  const most = numbers.reduce<(typeof numbers)[number] | null>(
    (best, each) => (best === null || each.value > best.value ? each : best),
    null,
  )
  if (!most) return `${format.count(result.rowCount)} rows.`
  return `${column.label} is highest for ${name(most.row)}, ${figure(most.row)}, of ${format.count(result.rowCount)}${when}.`
}

function listSentence({ shown }: Pick<BotReading, 'shown'>, result: QueryResult, format: CellFormatter): string {
  const column = result.columns.findIndex(({ key }) => shown === undefined || shown.includes(key))
  const at = Math.max(0, column)
  const of = result.columns[at]
  const count = format.count(result.rowCount)
  const noun = result.rowCount === 1 ? 'record' : 'records'
  if (!of) return `${count} ${noun}.`
  const names = result.rows.slice(0, NAMES_MAX).map((row) => format.label(row[at] ?? null, of))
  const more = result.rowCount > NAMES_MAX ? ' …' : '.'
  return `${count} ${noun}: ${names.join(', ')}${more}`
}
