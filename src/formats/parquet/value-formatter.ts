import type { SchemaElement } from 'hyparquet'
import type { ColumnHint } from '../../shared/data-sources/files'
import { DAY_MS, isoFromDay } from '../../shared/dates'
import type { NestedScalar } from '../nested/nested-value'
import { parquetDamagedError } from './parquet-errors'
import { ScalarStats } from '../nested/infer-tables'

/** A value as it stands in a page. */
export type PhysicalValue = number | bigint | boolean | Uint8Array

/** How values of one column are spelled out. */
export interface ValueFormatter {
  /** null: no number (NaN, infinity), no day of the years 1 to 9999. @throws ProductError when the value is not of the column's type. */
  text(value: PhysicalValue): string | null
  kind: NestedScalar['kind']
  hint: Pick<ColumnHint, 'type' | 'scale' | 'zoned'>
  /** Texts have to be seen before the type is sure: whole numbers past what is exact, strings of digits. */
  check: 'numbers' | 'strings' | null
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientUtf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const CONTROL_CHARS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const INT96_EPOCH_DAY = 2_440_588
const NANOS_PER_DAY = 86_400_000_000_000n

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function toBytes(value: PhysicalValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw parquetDamagedError('a column holds values of another type')
}
function toBigInt(value: PhysicalValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  throw parquetDamagedError('a column holds values of another type')
}
const toPlainText = (value: PhysicalValue): string => String(value)

/** Bytes of no declared meaning: text when they are one, else `\x` and their digits. */
export function binaryText(value: PhysicalValue): string {
  const bytes = toBytes(value)
  try {
    const text = strictUtf8.decode(bytes)
    if (!CONTROL_CHARS.test(text)) return text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return `\\x${toHex(bytes)}`
}

/** The shortest decimal that is this number in single precision, as it was before it was stored. */
export function float32Text(value: PhysicalValue): string | null {
  const number = Number(value)
  if (!Number.isFinite(number)) return null
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits))
    if (Math.fround(short) === number) return String(short)
  }
  return String(number)
}

function float64Text(value: PhysicalValue): string | null {
  const number = Number(value)
  return Number.isFinite(number) ? String(number) : null
}

const SHORT_DIGITS = 7
/** A number of half precision: as it is where that is short (32.875), else the shortest decimal that is it (0.1). */
function float16Text(value: PhysicalValue): string | null {
  const [low = 0, high = 0] = toBytes(value)
  const exponent = (high >> 2) & 31
  const fraction = ((high & 3) << 8) | low
  if (exponent === 31) return null
  const step = 2 ** (Math.max(exponent, 1) - 25)
  const size = (exponent === 0 ? fraction : fraction + 1024) * step
  const isShort = Number(size.toPrecision(SHORT_DIGITS)) === size
  const short = [2, 3, 4].map((digits) => Number(size.toPrecision(digits))).find((n) => Math.abs(n - size) < step / 2)
  return String((high & 128 ? -1 : 1) * (isShort ? size : (short ?? size)))
}

function readBigEndian(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${toHex(bytes)}`))
}

/** A whole number with its decimal point put in. */
export function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return (unscaled < 0n ? '-' : '') + digits.slice(0, point) + (scale > 0 ? `.${digits.slice(point)}` : '')
}

function timeOfDayText(nanos: bigint): string {
  const seconds = Number(nanos / 1_000_000_000n)
  const two = (n: number): string => String(n).padStart(2, '0')
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return fraction === '' ? time : `${time}.${fraction}`
}

/** A time of day; one that lies before midnight UTC, by its offset, is that of the day before. */
export const timeText = (nanos: bigint): string =>
  timeOfDayText(((nanos % NANOS_PER_DAY) + NANOS_PER_DAY) % NANOS_PER_DAY)

/** Days of the years that a date has, from 1 to 9999, counted from 1970. */
const FIRST_DAY = -719_162
const LAST_DAY = 2_932_896
/** null: no day of a calendar. */
export const dayText = (day: number): string | null => (day >= FIRST_DAY && day <= LAST_DAY ? isoFromDay(day) : null)
const momentText = (day: number, nanos: bigint, mark: string): string | null => {
  const date = dayText(day)
  return date === null ? null : `${date}T${timeOfDayText(nanos)}${mark}`
}

/** Moment of nanoseconds since 1970, with as many decimals as it has. */
export function nanosDateTimeText(nanos: bigint, mark: string): string | null {
  let days = nanos / NANOS_PER_DAY
  let rest = nanos % NANOS_PER_DAY
  if (rest < 0n) {
    days -= 1n
    rest += NANOS_PER_DAY
  }
  return momentText(Number(days), rest, mark)
}

/** Moments of milliseconds, which nearly all are, without big numbers. */
function millisDateTimeText(ms: number, mark: string): string | null {
  const days = Math.floor(ms / DAY_MS)
  const rest = ms - days * DAY_MS
  return momentText(days, BigInt(rest) * 1_000_000n, mark)
}

const NANOS_PER_UNIT = { MILLIS: 1_000_000n, MICROS: 1000n, NANOS: 1n } as const
type TimeUnit = keyof typeof NANOS_PER_UNIT

function timestampFormatter(timeUnit: TimeUnit, zoned: boolean): ValueFormatter {
  const mark = zoned ? 'Z' : ''
  const text = (value: PhysicalValue): string | null =>
    timeUnit === 'MILLIS'
      ? millisDateTimeText(Number(value), mark)
      : nanosDateTimeText(toBigInt(value) * NANOS_PER_UNIT[timeUnit], mark)
  return { text, kind: 'string', hint: { type: 'datetime', zoned }, check: null }
}

function int96Text(value: PhysicalValue): string | null {
  const all = toBigInt(value)
  const days = (all >> 64n) - BigInt(INT96_EPOCH_DAY)
  return nanosDateTimeText(days * NANOS_PER_DAY + (all & 0xffff_ffff_ffff_ffffn), '')
}

function intervalText(value: PhysicalValue): string {
  const bytes = toBytes(value)
  if (bytes.length !== 12) throw parquetDamagedError('a column holds values of another type')
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12)
  const [months, days, ms] = [0, 4, 8].map((at) => view.getUint32(at, true))
  return `P${months}M${days}DT${(ms ?? 0) / 1000}S`
}

export function uuidText(value: PhysicalValue): string {
  const digits = toHex(toBytes(value))
  return [0, 8, 12, 16, 20].map((at, i, all) => digits.slice(at, all[i + 1] ?? 32)).join('-')
}

const textFormatter = (
  text: ValueFormatter['text'],
  hint: ValueFormatter['hint'] = { type: 'text' },
): ValueFormatter => ({
  text,
  kind: 'string',
  hint,
  check: null,
})
const numberFormatter = (
  text: ValueFormatter['text'],
  hint: ValueFormatter['hint'],
  check: ValueFormatter['check'] = null,
): ValueFormatter => ({
  text,
  kind: 'number',
  hint,
  check,
})

/** Whole numbers; unsigned ones are stored as their signed twins. */
function integerFormatter(bits: number, signed: boolean): ValueFormatter {
  const text = signed
    ? toPlainText
    : (value: PhysicalValue): string => String(bits === 64 ? BigInt.asUintN(64, toBigInt(value)) : Number(value) >>> 0)
  return numberFormatter(text, { type: 'integer' }, bits === 64 ? 'numbers' : null)
}

function decimalFormatter({
  scale = 0,
  precision = 0,
}: {
  scale?: number | undefined
  precision?: number | undefined
}): ValueFormatter {
  if (!Number.isInteger(scale) || scale < 0 || scale > 1000)
    throw parquetDamagedError('a decimal column has an impossible scale')
  const text = (value: PhysicalValue): string =>
    decimalText(value instanceof Uint8Array ? readBigEndian(value) : toBigInt(value), scale)
  const exact = scale <= 4 && precision <= 15
  return numberFormatter(text, exact ? { type: 'number', scale } : { type: 'number' }, exact ? null : 'numbers')
}

/** Bytes as they are, of which something else is made later. */
export const bytesFormatter: ValueFormatter = textFormatter((value) => `\\x${toHex(toBytes(value))}`)

/** How a column's values are spelled out, by its logical type, else by how they are stored. */
export function valueFormatterFor(element: SchemaElement): ValueFormatter {
  return formatterByLogicalType(element) ?? formatterByConvertedType(element) ?? formatterByPhysicalType(element)
}

function formatterByLogicalType(element: SchemaElement): ValueFormatter | null {
  const logical = element.logical_type
  switch (logical?.type) {
    case 'DECIMAL':
      return decimalFormatter(logical)
    case 'TIMESTAMP':
      return timestampFormatter(logical.unit, logical.isAdjustedToUTC)
    case 'TIME':
      return textFormatter((value) => timeText(toBigInt(value) * NANOS_PER_UNIT[logical.unit]))
    case 'INTEGER':
      return integerFormatter(logical.bitWidth === 64 ? 64 : 32, logical.isSigned)
    case 'UUID':
      return textFormatter(uuidText)
    case 'FLOAT16':
      return numberFormatter(float16Text, { type: 'number' })
    case 'GEOMETRY':
    case 'GEOGRAPHY':
    case 'BSON':
      return textFormatter((value) => `\\x${toHex(toBytes(value))}`)
    case 'STRING':
      return { ...textFormatter((value) => lenientUtf8.decode(toBytes(value)), {}), check: 'strings' }
    case 'ENUM':
    case 'JSON':
      return textFormatter((value) => lenientUtf8.decode(toBytes(value)))
    case 'DATE':
      return textFormatter((value) => dayText(Number(value)), { type: 'date' })
    case 'INTERVAL':
    case 'LIST':
    case 'MAP':
    case 'NULL':
    case 'VARIANT':
    case undefined:
    default:
      return null
  }
}

function formatterByConvertedType(element: SchemaElement): ValueFormatter | null {
  const type = element.converted_type
  switch (type) {
    case 'DECIMAL':
      return decimalFormatter(element)
    case 'UTF8':
      return { ...textFormatter((value) => lenientUtf8.decode(toBytes(value)), {}), check: 'strings' }
    case 'ENUM':
    case 'JSON':
      return textFormatter((value) => lenientUtf8.decode(toBytes(value)))
    case 'DATE':
      return textFormatter((value) => dayText(Number(value)), { type: 'date' })
    case 'TIME_MILLIS':
      return textFormatter((value) => timeText(toBigInt(value) * NANOS_PER_UNIT.MILLIS))
    case 'TIME_MICROS':
      return textFormatter((value) => timeText(toBigInt(value) * NANOS_PER_UNIT.MICROS))
    case 'TIMESTAMP_MILLIS':
      return timestampFormatter('MILLIS', true)
    case 'TIMESTAMP_MICROS':
      return timestampFormatter('MICROS', true)
    case 'INTERVAL':
      return textFormatter(intervalText)
    case 'UINT_64':
      return integerFormatter(64, false)
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
      return integerFormatter(32, false)
    case 'BSON':
      return textFormatter((value) => `\\x${toHex(toBytes(value))}`)
    case 'INT_8':
    case 'INT_16':
    case 'INT_32':
    case 'INT_64':
    case 'LIST':
    case 'MAP':
    case 'MAP_KEY_VALUE':
    case undefined:
    default:
      return null
  }
}

function formatterByPhysicalType({ type }: SchemaElement): ValueFormatter {
  switch (type) {
    case 'BOOLEAN':
      return { text: toPlainText, kind: 'boolean', hint: { type: 'boolean' }, check: null }
    case 'INT32':
      return integerFormatter(32, true)
    case 'INT64':
      return integerFormatter(64, true)
    case 'INT96':
      return textFormatter(int96Text, { type: 'datetime', zoned: false })
    case 'FLOAT':
      return numberFormatter(float32Text, { type: 'number' })
    case 'DOUBLE':
      return numberFormatter(float64Text, { type: 'number' })
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return { ...textFormatter(binaryText, {}), check: 'strings' }
    case undefined:
    default:
      throw parquetDamagedError('its schema is not complete')
  }
}

/** A column's texts, watched where its type depends on them. */
export class ColumnTypeTracker {
  private readonly stats = new ScalarStats()
  /** Values that are no number, or no day of a calendar. */
  unreadableCount = 0
  /** Pages that are not what their checksum says. */
  checksumErrorCount = 0
  readonly leaf: ValueFormatter

  constructor(private readonly base: ValueFormatter) {
    this.leaf = { ...base, text: (value) => this.text(value) }
  }

  /** The declared type; text where numbers are past what is exact, or all texts are digits. */
  hint(): Pick<ColumnHint, 'type' | 'scale' | 'zoned'> {
    const { check, hint } = this.base
    if (!check) return hint
    const seen = this.stats.typeHint()
    if (check === 'strings') return seen
    return seen.type === 'text' ? { type: 'text' } : { ...hint, ...(seen.scale === undefined ? {} : seen) }
  }

  private text(value: PhysicalValue): string | null {
    const { base } = this
    const text = base.text(value)
    if (text === null) this.unreadableCount++
    else if (base.check) this.stats.add({ kind: base.check === 'strings' ? 'string' : 'number', text })
    return text
  }
}
