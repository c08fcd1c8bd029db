import type { SchemaElement } from 'hyparquet'
import type { ColumnHint } from '../../shared/files'
import { DAY_MS, isoDate } from '../date-text'
import type { NestedScalar } from '../nested/value'
import { damaged } from './faults'

/** A value as it stands in a page. */
export type Physical = number | bigint | boolean | Uint8Array

/** How values of one column are spelled out. */
export interface LeafText {
  /** null: no number (NaN, infinity). @throws ProductError when the value is not of the column's type. */
  text(value: Physical): string | null
  kind: NestedScalar['kind']
  hint: Pick<ColumnHint, 'type' | 'scale' | 'zoned'>
  /** Texts have to be seen before the type is sure: whole numbers past what is exact, strings of digits. */
  check: 'numbers' | 'strings' | null
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lax = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const INT96_EPOCH_DAY = 2_440_588
const NANOS_PER_DAY = 86_400_000_000_000n

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function bytesOf(value: Physical): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw damaged('a column holds values of another type')
}
function bigOf(value: Physical): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  throw damaged('a column holds values of another type')
}
const plain = (value: Physical): string => String(value)

/** Bytes of no declared meaning: text when they are one, else `\x` and their digits. */
function anyText(value: Physical): string {
  const bytes = bytesOf(value)
  try {
    const text = strict.decode(bytes)
    if (!CONTROL.test(text)) return text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return `\\x${hex(bytes)}`
}

/** The shortest decimal that is this number in single precision, as it was before it was stored. */
function singleText(value: Physical): string | null {
  const number = Number(value)
  if (!Number.isFinite(number)) return null
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits))
    if (Math.fround(short) === number) return String(short)
  }
  return String(number)
}

function doubleText(value: Physical): string | null {
  const number = Number(value)
  return Number.isFinite(number) ? String(number) : null
}

/** The shortest decimal that is this number in half precision. */
function halfText(value: Physical): string | null {
  const [low = 0, high = 0] = bytesOf(value)
  const exponent = (high >> 2) & 31
  const fraction = ((high & 3) << 8) | low
  if (exponent === 31) return null
  const step = 2 ** (Math.max(exponent, 1) - 25)
  const size = (exponent === 0 ? fraction : fraction + 1024) * step
  const short = [2, 3, 4].map((digits) => Number(size.toPrecision(digits))).find((n) => Math.abs(n - size) < step / 2)
  return String((high & 128 ? -1 : 1) * (short ?? size))
}

function bigEndian(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex(bytes)}`))
}

/** A whole number with its decimal point put in. */
function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return (unscaled < 0n ? '-' : '') + digits.slice(0, point) + (scale > 0 ? `.${digits.slice(point)}` : '')
}

function clock(nanos: bigint): string {
  const seconds = Number(nanos / 1_000_000_000n)
  const two = (n: number): string => String(n).padStart(2, '0')
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return fraction === '' ? time : `${time}.${fraction}`
}

/** Moment of nanoseconds since 1970, with as many decimals as it has. */
function momentText(nanos: bigint, mark: string): string {
  let days = nanos / NANOS_PER_DAY
  let rest = nanos % NANOS_PER_DAY
  if (rest < 0n) {
    days -= 1n
    rest += NANOS_PER_DAY
  }
  return `${isoDate(Number(days))}T${clock(rest)}${mark}`
}

/** Moments of milliseconds, which nearly all are, without big numbers. */
function milliText(ms: number, mark: string): string {
  const days = Math.floor(ms / DAY_MS)
  const rest = ms - days * DAY_MS
  return `${isoDate(days)}T${clock(BigInt(rest) * 1_000_000n)}${mark}`
}

const UNITS = { MILLIS: 1_000_000n, MICROS: 1000n, NANOS: 1n } as const
type Unit = keyof typeof UNITS

function timestamp(unit: Unit, zoned: boolean): LeafText {
  const mark = zoned ? 'Z' : ''
  const text = (value: Physical): string =>
    unit === 'MILLIS' ? milliText(Number(value), mark) : momentText(bigOf(value) * UNITS[unit], mark)
  return { text, kind: 'string', hint: { type: 'datetime', zoned }, check: null }
}

function int96(value: Physical): string {
  const all = bigOf(value)
  const days = (all >> 64n) - BigInt(INT96_EPOCH_DAY)
  return momentText(days * NANOS_PER_DAY + (all & 0xffff_ffff_ffff_ffffn), '')
}

function interval(value: Physical): string {
  const bytes = bytesOf(value)
  if (bytes.length !== 12) throw damaged('a column holds values of another type')
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12)
  const [months, days, ms] = [0, 4, 8].map((at) => view.getUint32(at, true))
  return `P${months}M${days}DT${(ms ?? 0) / 1000}S`
}

function uuid(value: Physical): string {
  const digits = hex(bytesOf(value))
  return [0, 8, 12, 16, 20].map((at, i, all) => digits.slice(at, all[i + 1] ?? 32)).join('-')
}

const asText = (text: LeafText['text'], hint: LeafText['hint'] = { type: 'text' }): LeafText => ({
  text,
  kind: 'string',
  hint,
  check: null,
})
const asNumber = (text: LeafText['text'], hint: LeafText['hint'], check: LeafText['check'] = null): LeafText => ({
  text,
  kind: 'number',
  hint,
  check,
})

/** Whole numbers; unsigned ones are stored as their signed twins. */
function whole(bits: number, signed: boolean): LeafText {
  const text = signed
    ? plain
    : (value: Physical): string => String(bits === 64 ? BigInt.asUintN(64, bigOf(value)) : Number(value) >>> 0)
  return asNumber(text, { type: 'integer' }, bits === 64 ? 'numbers' : null)
}

function decimal({
  scale = 0,
  precision = 0,
}: {
  scale?: number | undefined
  precision?: number | undefined
}): LeafText {
  if (!Number.isInteger(scale) || scale < 0 || scale > 1000) throw damaged('a decimal column has an impossible scale')
  const text = (value: Physical): string =>
    decimalText(value instanceof Uint8Array ? bigEndian(value) : bigOf(value), scale)
  const exact = scale <= 4 && precision <= 15
  return asNumber(text, exact ? { type: 'number', scale } : { type: 'number' }, exact ? null : 'numbers')
}

/** How a column's values are spelled out, by its logical type, else by how they are stored. */
export function leafText(element: SchemaElement): LeafText {
  return byLogicalType(element) ?? byConvertedType(element) ?? byStorage(element)
}

function byLogicalType(element: SchemaElement): LeafText | null {
  const logical = element.logical_type
  switch (logical?.type) {
    case 'DECIMAL':
      return decimal(logical)
    case 'TIMESTAMP':
      return timestamp(logical.unit, logical.isAdjustedToUTC)
    case 'TIME':
      return asText((value) => clock(bigOf(value) * UNITS[logical.unit]))
    case 'INTEGER':
      return whole(logical.bitWidth === 64 ? 64 : 32, logical.isSigned)
    case 'UUID':
      return asText(uuid)
    case 'FLOAT16':
      return asNumber(halfText, { type: 'number' })
    case 'GEOMETRY':
    case 'GEOGRAPHY':
    case 'BSON':
      return asText((value) => `\\x${hex(bytesOf(value))}`)
    case 'STRING':
      return { ...asText((value) => lax.decode(bytesOf(value)), {}), check: 'strings' }
    case 'ENUM':
    case 'JSON':
      return asText((value) => lax.decode(bytesOf(value)))
    case 'DATE':
      return asText((value) => isoDate(Number(value)), { type: 'date' })
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

function byConvertedType(element: SchemaElement): LeafText | null {
  const type = element.converted_type
  switch (type) {
    case 'DECIMAL':
      return decimal(element)
    case 'UTF8':
      return { ...asText((value) => lax.decode(bytesOf(value)), {}), check: 'strings' }
    case 'ENUM':
    case 'JSON':
      return asText((value) => lax.decode(bytesOf(value)))
    case 'DATE':
      return asText((value) => isoDate(Number(value)), { type: 'date' })
    case 'TIME_MILLIS':
      return asText((value) => clock(bigOf(value) * UNITS.MILLIS))
    case 'TIME_MICROS':
      return asText((value) => clock(bigOf(value) * UNITS.MICROS))
    case 'TIMESTAMP_MILLIS':
      return timestamp('MILLIS', true)
    case 'TIMESTAMP_MICROS':
      return timestamp('MICROS', true)
    case 'INTERVAL':
      return asText(interval)
    case 'UINT_64':
      return whole(64, false)
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
      return whole(32, false)
    case 'BSON':
      return asText((value) => `\\x${hex(bytesOf(value))}`)
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

function byStorage({ type }: SchemaElement): LeafText {
  switch (type) {
    case 'BOOLEAN':
      return { text: plain, kind: 'boolean', hint: { type: 'boolean' }, check: null }
    case 'INT32':
      return whole(32, true)
    case 'INT64':
      return whole(64, true)
    case 'INT96':
      return asText(int96, { type: 'datetime', zoned: false })
    case 'FLOAT':
      return asNumber(singleText, { type: 'number' })
    case 'DOUBLE':
      return asNumber(doubleText, { type: 'number' })
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return { ...asText(anyText, {}), check: 'strings' }
    case undefined:
    default:
      throw damaged('its schema is not complete')
  }
}
