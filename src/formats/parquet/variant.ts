import { FALSE, NULL, TRUE, type NestedObject, type NestedValue } from '../nested/nested-value'
import { parquetDamagedError } from './parquet-errors'
import { binaryText, dayText, decimalText, float32Text, nanosDateTimeText, timeText, uuidText } from './value-formatter'

/** Objects and lists inside each other, and values in all of them: several places may point at one. */
const DEPTH_MAX = 64
const VALUES_MAX = 100_000
const utf8 = new TextDecoder()

const damaged = (): Error => parquetDamagedError('a VARIANT value can’t be read')
const number = (text: string | null): NestedValue => (text === null ? NULL : { kind: 'number', text })
const string = (text: string | null): NestedValue => (text === null ? NULL : { kind: 'string', text })

/** Bytes of a VARIANT as they are counted: little end first, never past their end. */
class VariantBytes {
  readonly #view: DataView
  /** Values that were read. */
  values = 0
  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  part(at: number, length: number): Uint8Array {
    if (at < 0 || length < 0 || at + length > this.bytes.length) throw damaged()
    return this.bytes.subarray(at, at + length)
  }
  unsigned(at: number, length: number): number {
    return this.part(at, length).reduceRight((sum, byte) => sum * 256 + byte, 0)
  }
  signed(at: number, length: number): bigint {
    const digits = this.part(at, length).reduceRight((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
    return BigInt.asIntN(length * 8, BigInt(`0x${digits}`))
  }
  float(at: number, length: 4 | 8): number {
    this.part(at, length)
    return length === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true)
  }
}

/** The names that a VARIANT’s objects use. */
function namesOf(metadata: Uint8Array): string[] {
  const from = new VariantBytes(metadata)
  const header = from.unsigned(0, 1)
  if ((header & 15) !== 1) throw damaged()
  const size = (header >> 6) + 1
  const count = from.unsigned(1, size)
  const start = 1 + size * (count + 2)
  const offset = (n: number): number => from.unsigned(1 + size * (n + 1), size)
  from.part(0, start)
  return Array.from({ length: count }, (_, n) => utf8.decode(from.part(start + offset(n), offset(n + 1) - offset(n))))
}

function primitive(from: VariantBytes, type: number, at: number): NestedValue {
  const nanos = (perUnit: bigint): bigint => from.signed(at, 8) * perUnit
  const bytes = (): Uint8Array => from.part(at + 4, from.unsigned(at, 4))
  switch (type) {
    case 0:
      return NULL
    case 1:
      return TRUE
    case 2:
      return FALSE
    case 3:
    case 4:
    case 5:
    case 6:
      return number(String(from.signed(at, 2 ** (type - 3))))
    case 7:
      return number(Number.isFinite(from.float(at, 8)) ? String(from.float(at, 8)) : null)
    case 8:
    case 9:
    case 10:
      return number(decimalText(from.signed(at + 1, 2 ** (type - 6)), from.unsigned(at, 1)))
    case 11:
      return string(dayText(Number(from.signed(at, 4))))
    case 12:
    case 13:
      return string(nanosDateTimeText(nanos(1000n), type === 12 ? 'Z' : ''))
    case 14:
      return number(float32Text(from.float(at, 4)))
    case 15:
      return string(binaryText(bytes()))
    case 16:
      return string(utf8.decode(bytes()))
    case 17:
      return string(timeText(nanos(1000n)))
    case 18:
    case 19:
      return string(nanosDateTimeText(nanos(1n), type === 18 ? 'Z' : ''))
    case 20:
      return string(uuidText(from.part(at, 16)))
    default:
      throw damaged()
  }
}

/** A VARIANT value as any nested one. @throws ProductError when its bytes contradict themselves */
function decodeVariant(from: VariantBytes, names: readonly string[], at = 0, depth = 0): NestedValue {
  if (depth > DEPTH_MAX || ++from.values > VALUES_MAX) throw damaged()
  const head = from.unsigned(at, 1)
  const [basic, header] = [head & 3, head >> 2]
  if (basic === 0) return primitive(from, header, at + 1)
  if (basic === 1) return string(utf8.decode(from.part(at + 1, header)))
  const isObject = basic === 2
  const offsetSize = (header & 3) + 1
  const idSize = isObject ? ((header >> 2) & 3) + 1 : 0
  const countSize = (header >> (isObject ? 4 : 2)) & 1 ? 4 : 1
  const count = from.unsigned(at + 1, countSize)
  const offsetsAt = at + 1 + countSize + count * idSize
  const valuesAt = offsetsAt + (count + 1) * offsetSize
  from.part(at, valuesAt - at)
  const items = Array.from({ length: count }, (_, n) =>
    decodeVariant(from, names, valuesAt + from.unsigned(offsetsAt + n * offsetSize, offsetSize), depth + 1),
  )
  if (!isObject) return { kind: 'list', items }
  const keys = items.map((_, n) => names[from.unsigned(at + 1 + countSize + n * idSize, idSize)])
  if (keys.some((key) => key === undefined)) throw damaged()
  return { kind: 'object', keys: keys.flatMap((key) => key ?? []), values: items }
}

const HEX = /^\\x((?:[0-9a-f]{2})*)$/
/** The bytes of a cell that was spelled out in hexadecimal digits; null when it is empty. */
function bytesOf(cell: NestedValue | undefined): Uint8Array | null {
  if (cell === undefined || cell.kind === 'null') return null
  const digits = cell.kind === 'string' ? HEX.exec(cell.text)?.[1] : undefined
  if (digits === undefined) throw damaged()
  return Uint8Array.from({ length: digits.length / 2 }, (_, n) => Number.parseInt(digits.slice(n * 2, n * 2 + 2), 16))
}

const member = ({ keys, values }: NestedObject, key: string): NestedValue | undefined => values[keys.indexOf(key)]

/** What a group of a VARIANT holds: typed columns where it was shredded, its bytes else; null where it is not there. */
function shredded(group: NestedValue, names: readonly string[]): NestedValue | null {
  if (group.kind !== 'object') return group.kind === 'null' ? null : group
  const bytes = bytesOf(member(group, 'value'))
  const rest = bytes && decodeVariant(new VariantBytes(bytes), names)
  const typed = member(group, 'typed_value') ?? NULL
  if (typed.kind === 'null') return rest
  if (typed.kind === 'list') return { kind: 'list', items: typed.items.map((item) => shredded(item, names) ?? NULL) }
  if (typed.kind !== 'object') return typed
  const fields = typed.values.map((value) => shredded(value, names))
  const there = typed.keys.flatMap((key, n) => (fields[n] ? [{ key, value: fields[n] }] : []))
  const more = rest?.kind === 'object' ? rest.keys.map((key, n) => ({ key, value: rest.values[n] ?? NULL })) : []
  const all = [...there, ...more]
  return { kind: 'object', keys: all.map(({ key }) => key), values: all.map(({ value }) => value) }
}

/** The value of a VARIANT column, whose parts were read as columns. @throws ProductError when they contradict each other */
export function variantValue(group: NestedObject): NestedValue {
  const metadata = bytesOf(member(group, 'metadata'))
  if (!metadata) return NULL
  return shredded(group, namesOf(metadata)) ?? NULL
}
