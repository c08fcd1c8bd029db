import type { BotReading } from './interpretation'
import { inOneSentence, toNumber, type CellFormatter, type FormattedColumn } from '../figures/cell-formatter'
import type { ChangeDrivers } from '../findings'
import type { Cell, QueryResult, ResultColumn } from '../query/result'

/** Answers in a sentence. Figures come from the answer and nowhere else. */

/** Rows that a sentence names. */
const NAMED_MAX = 3
/** Lines of what accounts for a change that a sentence names. */
const DRIVERS_NAMED = 2

/** Whether an answer has anything to show. */
export const hasFigures = ({ kind, rows, columns }: QueryResult): boolean => {
  if (rows.length === 0) return false
  if (kind === 'rows') return true
  const measures = columns.flatMap(({ kind: is }, at) => (is === 'measure' ? [at] : []))
  return measures.length === 0 || rows.some((row) => measures.some((at) => (row[at] ?? null) !== null))
}

/** "No data for Jan 2031. Data covers …" */
export function describeNoData(words: string, { period }: QueryResult, format: CellFormatter): string {
  if (!period) return `No data for: ${words}.`
  const { dataTo, dataFrom } = period
  const end = dataTo === undefined ? '' : ` Data ends ${format.day(dataTo)}.`
  return `No data for ${period.label}.${end || (dataFrom === undefined ? '' : ` Data begins ${format.day(dataFrom)}.`)}`
}

/** An answer in one or two sentences: the figure, the largest, or how it ran. */
export function describeAnswer(reading: BotReading, result: QueryResult, format: CellFormatter): string {
  const { columns, rows, rowCount } = result
  if (result.kind === 'rows' || rows.length === 0) return `${counted(rowCount, 'row', format)}.`
  const splits = columns.flatMap(({ kind }, at) => (kind === 'dimension' ? [at] : []))
  const measures = measureColumns(reading, columns)
  const [measure] = measures
  if (measure === undefined) return listOf(result, splits, format)
  if (splits.length === 0) return figuresSentence(result, measures, format)
  const time = splits.find((at) => columns[at]?.grain !== undefined)
  if (time !== undefined && splits.length === 1) return trendSentence(result, { time, measure }, format)
  return rankedSentence(reading, result, { splits, measure }, format)
}

/** Measures that were asked for; those that only sort are left out. */
function measureColumns({ shown }: BotReading, columns: readonly ResultColumn[]): number[] {
  const all = columns.flatMap(({ kind }, at) => (kind === 'measure' ? [at] : []))
  const asked = all.filter((at) => shown === undefined || shown.includes(columns[at]?.key ?? ''))
  return asked.length > 0 ? asked : all
}

const counted = (count: number, noun: string, format: CellFormatter): string =>
  `${format.count(count)} ${count === 1 ? noun : `${noun}s`}`

const periodWords = ({ period }: QueryResult): string =>
  period && period.label !== 'All time' ? ` in ${period.label}` : ''

function figuresSentence(result: QueryResult, measures: readonly number[], format: CellFormatter): string {
  const { columns, rows, period } = result
  const row = rows[0] ?? []
  const parts = measures.map((at) => {
    const column = columns[at]
    if (!column) return ''
    const [now, before] = [row[at] ?? null, beforeOf(result, at)]
    const shown = besideChange(column, now, before)
    const value = `${column.label}: ${format.sentence(now, shown)}`
    if (before === null || !period?.compare) return value
    return `${value}, ${format.change({ now, before, period: period.compare.label }, shown)}`
  })
  const [first = '', ...more] = parts
  const when = periodWords(result)
  return more.length === 0 ? `${inserted(first, when)}.` : `${parts.join('; ')}${when}.`
}
/** The period behind the name: "Revenue in May 2026: 1,2 Mkr". */
const inserted = (part: string, when: string): string => {
  const at = part.indexOf(': ')
  return at < 0 ? `${part}${when}` : `${part.slice(0, at)}${when}${part.slice(at)}`
}

function beforeOf({ columns, rows }: QueryResult, measureAt: number): Cell {
  const measures = columns.flatMap(({ kind }, at) => (kind === 'measure' ? [at] : []))
  const place = measures.indexOf(measureAt)
  const at = columns.findIndex(({ kind, measure }) => kind === 'previous' && measure === place)
  return at < 0 ? null : (rows[0]?.[at] ?? null)
}

/** For a figure, how it changed, and figures beside them. */
function besideChange(
  column: FormattedColumn,
  now: Cell,
  before: Cell,
  further: readonly Cell[] = [],
): FormattedColumn {
  const [is, was] = [toNumber(now), toNumber(before)]
  return inOneSentence(column, [now, is === null || was === null ? null : is - was, ...further])
}

function trendSentence(
  result: QueryResult,
  { time, measure }: { time: number; measure: number },
  format: CellFormatter,
): string {
  const { columns, rows } = result
  const [axis, figure] = [columns[time], columns[measure]]
  if (!axis || !figure) return ''
  const known = rows.filter((row) => toNumber(row[measure]) !== null)
  const cut = new Set(axis.partial?.map(({ start }) => start.slice(0, 10)))
  const whole = known.filter((row) => !cut.has(String(row[time] ?? '').slice(0, 10)))
  // A month that is half over lies lower than it will: the line is told from whole period to whole period.
  const ends = whole.length > 1 ? whole : known
  const [first, last] = [ends[0], ends.at(-1)]
  if (!first || !last) return ''
  const label = (row: readonly Cell[]): string => format.label(row[time] ?? null, axis)
  if (first === last) return `${figure.label} in ${label(first)}: ${format.sentence(first[measure] ?? null, figure)}.`
  const best = known.reduce((top, row) => ((toNumber(row[measure]) ?? 0) > (toNumber(top[measure]) ?? 0) ? row : top))
  const told = [first, last, best].map((row) => row[measure] ?? null)
  const shown = inOneSentence(figure, told)
  const [from, to, most] = told.map((value) => format.sentence(value, shown))
  const highest = `Highest: ${label(best)}, ${most}.`
  return `${figure.label} went from ${from} in ${label(first)} to ${to} in ${label(last)}. ${highest}`
}

function rankedSentence(
  { intent, plan }: BotReading,
  result: QueryResult,
  { splits, measure }: { splits: readonly number[]; measure: number },
  format: CellFormatter,
): string {
  const { columns, rows, rowCount } = result
  const figure = columns[measure]
  if (!figure) return ''
  const others = new Set([
    ...(result.otherCells ?? []).map(({ row }) => row),
    ...(result.otherRow === null ? [] : [result.otherRow]),
  ])
  const named = rows.filter((row, at) => !others.has(at) && toNumber(row[measure]) !== null)
  const name = (row: readonly Cell[]): string =>
    splits.map((at) => (columns[at] ? format.label(row[at] ?? null, columns[at]) : '')).join(', ')
  const isLow = intent === 'bottom'
  const sorted = named.toSorted(
    (a, b) => ((toNumber(b[measure]) ?? 0) - (toNumber(a[measure]) ?? 0)) * (isLow ? -1 : 1),
  )
  const told = sorted.slice(0, NAMED_MAX)
  const shown = inOneSentence(
    figure,
    told.map((row) => row[measure] ?? null),
  )
  const leading = told.map((row) => `${name(row)} (${format.sentence(row[measure] ?? null, shown)})`).join(', ')
  if (named.length === 1) return `${figure.label}${periodWords(result)}: ${leading}.`
  // Of the largest few that were asked for nobody wants to know how many others there are.
  const more = rowCount > NAMED_MAX && plan.limit === undefined ? ` ${format.count(rowCount)} in total.` : ''
  return `${figure.label}${periodWords(result)}, ${isLow ? 'lowest' : 'highest'} first: ${leading}.${more}`
}

function listOf({ columns, rows, rowCount }: QueryResult, splits: readonly number[], format: CellFormatter): string {
  const name = (row: readonly Cell[]): string =>
    splits.map((at) => (columns[at] ? format.label(row[at] ?? null, columns[at]) : '')).join(', ')
  const leading = rows.slice(0, NAMED_MAX).map(name).join(', ')
  return `${counted(rowCount, 'value', format)}: ${leading}${rowCount > NAMED_MAX ? ', …' : ''}.`
}

/** What accounts for a change; never why it came about. */
export function describeDrivers(drivers: ChangeDrivers, format: CellFormatter): string {
  const { label, change, value, previous, period, compare, scale, whyNot } = drivers
  const [table] = drivers.tables
  const named = table?.lines.slice(0, DRIVERS_NAMED) ?? []
  const column = besideChange(
    { type: 'number', kind: 'measure', format: drivers.format, ...(scale === null ? {} : { scale }) },
    value,
    previous,
    named.map((line) => line.change),
  )
  const what = `${label} in ${period.label}: ${format.sentence(value, column)}, ${format.change({ now: value, before: previous, period: compare.label }, column)}.`
  if (whyNot === 'notAdditive') return `${what} This figure can’t be broken down into parts that add up.`
  if (change === null || !table) return what
  const lines = named.map((line) => {
    const member = line.member === null ? 'No value' : String(line.member)
    return `${member} accounts for ${format.signedSentence(line.change, column)}`
  })
  return `${what} By ${table.label}: ${lines.join(', ')}.`
}
