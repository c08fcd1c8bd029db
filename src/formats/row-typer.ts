import type { DateOrder, DecimalMark } from '../shared/files'
import type { CreateRowTyper, TypedColumn, TypedRow } from './contract'
import {
  dateTimeTyper,
  dateTyper,
  integerTyper,
  isNoValue,
  numberTyper,
  trimmed,
  typeBoolean,
  typeText,
} from './cell-typers'
import type { CellTyper } from './cell-typers'
import { readNumber } from './number-text'
import { readDateTime } from './date-text'

const REJECT_TEXT_MAX_CHARS = 200
const QUOTED_MAX_CHARS = 40
type Defaults = Parameters<CreateRowTyper>[1]

/** How one column is typed, and its widest value so far. */
interface Lane {
  column: TypedColumn
  index: number
  text: boolean
  type: CellTyper
  widened: { seen: boolean; decimals: number | null }
}

function laneOf(column: TypedColumn, defaults: Defaults): Lane {
  const widened: Lane['widened'] = { seen: false, decimals: 0 }
  const onWider = (decimals: number | null): void => {
    widened.seen = true
    widened.decimals = decimals === null || widened.decimals === null ? null : Math.max(decimals, widened.decimals)
  }
  const type = typerOf(column, { defaults, onWider })
  return { column, index: column.file?.index ?? -1, text: column.column.type === 'text', type, widened }
}

function typerOf(
  { column, file }: TypedColumn,
  { defaults, onWider }: { defaults: Defaults; onWider: (decimals: number | null) => void },
): CellTyper {
  const mark = file?.decimalMark ?? defaults.decimalMark
  const order = file?.dateOrder ?? defaults.dateOrder
  switch (column.type) {
    case 'text':
      return typeText
    case 'boolean':
      return typeBoolean
    case 'integer':
      return integerTyper(mark)
    case 'number':
      return numberTyper({ mark, scale: column.scale, onWider })
    case 'date':
      return dateTyper(order)
    case 'datetime':
      return dateTimeTyper(order, column.zoned === true)
  }
}

const ORDERS: Record<DateOrder, string> = { ymd: 'year first', dmy: 'day first', mdy: 'month first' }
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** Why a cell is not of its column's type, for a person who has the file open. */
function reasonOf({ column, file }: TypedColumn, text: string, defaults: Defaults): string {
  const head = `${column.label}: “${cut(text, QUOTED_MAX_CHARS)}”`
  const mark = file?.decimalMark ?? defaults.decimalMark
  const order = file?.dateOrder ?? defaults.dateOrder
  switch (column.type) {
    case 'text':
      return `${head} is not text.`
    case 'boolean':
      return `${head} is neither yes nor no.`
    case 'integer':
    case 'number':
      return `${head} ${numberReason({ text, mark, whole: column.type === 'integer' })}`
    case 'date':
      if (readDateTime(text, order)) return `${head} has a time of day, the column has dates.`
      return `${head} is not a date (${ORDERS[order]}).`
    case 'datetime': {
      const at = readDateTime(text, order)
      if (at?.zoned) return `${head} has a time zone, the other values have none.`
      return at
        ? `${head} has no time zone, the other values have one.`
        : `${head} is not a date and time (${ORDERS[order]}).`
    }
  }
}

function numberReason(at: { text: string; mark: DecimalMark; whole: boolean }): string {
  const number = readNumber(at.text, at.mark)
  const kind = at.whole ? 'a whole number' : 'a number'
  if (!number) return `is not ${kind} (decimal ${at.mark === '.' ? 'point' : 'comma'}).`
  if (number.digits.length - number.decimals > 15) return 'has more digits than can be kept exactly.'
  if (at.whole && number.decimals > 0) return 'is not a whole number.'
  if (number.percent) return 'is a percentage, the other values are not.'
  if (number.currency !== null) return 'is in another currency than the rest of the column.'
  return 'has no % sign, the other values have one.'
}

/** Types rows by columns. The typer remembers what it met (currencies, widest values): one per segment of a load. */
export const createRowTyper: CreateRowTyper = (columns, settings) => {
  const lanes = columns.map((column) => laneOf(column, settings))
  const width = settings.fileWidth ?? Number.MAX_SAFE_INTEGER
  const reject = (cells: string[], line: number, reason: string): TypedRow => ({
    ok: false,
    reject: { line, reason, text: cut(cells.slice(0, 200).join(' | '), REJECT_TEXT_MAX_CHARS) },
  })
  return {
    type(cells, line) {
      if (cells.length > width) {
        const extra = cells.slice(width).some((cell) => cell !== '')
        if (extra) return reject(cells, line, `The row has ${cells.length} values for ${width} columns.`)
      }
      const values: (TypedRow & { ok: true })['values'] = []
      for (const lane of lanes) {
        const cell = cells[lane.index]
        if (cell === undefined || cell === '') {
          values.push(null)
          continue
        }
        const text = lane.text ? cell : trimmed(cell)
        const value = text === '' ? null : lane.type(text)
        if (value !== undefined) values.push(value)
        else if (isNoValue(text)) values.push(null)
        else return reject(cells, line, reasonOf(lane.column, text, settings))
      }
      return { ok: true, values }
    },
    widened: () =>
      lanes.flatMap(({ column, widened }) =>
        widened.seen ? [{ key: column.column.key, decimals: widened.decimals }] : [],
      ),
  }
}
