import { checksumOf, decodeNumbers, encodeNumbers, type EncodedChunk } from './chunk'
import type { TextIndex } from './texts/text-index'

/** One column of a batch that is being gathered. */
export interface GatheredColumn {
  /** Numbers, NaN for an empty cell; of texts their numbers in `texts`, 0 for an empty cell. */
  values: Float64Array
  /** Of a column of texts. */
  texts: TextIndex | null
  /** Rows with a number outside the column's scale, and that number as it is. */
  unscaled: [row: number, value: number][]
}

/** What of a gathered column is written. */
type WrittenColumn = Omit<GatheredColumn, 'texts'> & { texts: Pick<TextIndex, 'packed'> | null }

/** One column of a batch as it came. */
export type BatchColumn =
  | { kind: 'numbers'; values: EncodedChunk; unscaled: ReadonlyMap<number, number> }
  | { kind: 'texts'; codes: EncodedChunk; words: { bytes: Uint8Array; ends: Int32Array } }

/** Rows of a load on their way. */
export interface Batch {
  rows: number
  columns: BatchColumn[]
}

/**
 * How a batch lies in its buffer: the length of its head, a checksum of all that follows, the head (JSON), then for each
 * column its values as those of a chunk, and of texts where each different one ends, and their UTF-8. Each part begins at
 * a multiple of eight bytes.
 */
interface BatchHead {
  rows: number
  columns: ColumnHead[]
}
type ColumnHead = Pick<EncodedChunk, 'bits' | 'base' | 'nulls'> & {
  bytes: number
  unscaled?: [row: number, value: number][]
  words?: { count: number; bytes: number }
}

const ALIGNMENT = 8
const HEAD_AT = 8
const END_BYTES = 4
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** Gathered rows as one buffer. What was gathered may be overwritten afterwards. */
export function encodeBatch(columns: readonly WrittenColumn[], rows: number): ArrayBuffer {
  const parts: Uint8Array[] = []
  const heads = columns.map(({ values, texts, unscaled }): ColumnHead => {
    const { bits, base, nulls, data } = encodeNumbers(values, rows)
    const head: ColumnHead = { bits, base, nulls, bytes: data.byteLength }
    parts.push(new Uint8Array(data))
    if (unscaled.length > 0) head.unscaled = unscaled
    if (texts) {
      const { bytes, ends } = texts.packed
      head.words = { count: ends.length, bytes: bytes.length }
      parts.push(new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength), bytes)
    }
    return head
  })
  const head = new TextEncoder().encode(JSON.stringify({ rows, columns: heads } satisfies BatchHead))
  const first = aligned(HEAD_AT + head.length)
  const all = new Uint8Array(parts.reduce((sum, part) => sum + aligned(part.length), first))
  all.set(head, HEAD_AT)
  let at = first
  for (const part of parts) {
    all.set(part, at)
    at += aligned(part.length)
  }
  new Uint32Array(all.buffer, 0, 2).set([head.length, checksumOf(all.buffer, HEAD_AT)])
  return all.buffer
}

/** @throws Error for damage */
export function decodeBatch(buffer: ArrayBuffer): Batch {
  const [length = 0, checksum] = new Uint32Array(buffer, 0, 2)
  if (checksumOf(buffer, HEAD_AT) !== checksum) throw new Error('A batch is damaged.')
  const { rows, columns }: BatchHead = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEAD_AT, length)))
  let at = aligned(HEAD_AT + length)
  const next = (bytes: number): number => {
    const from = at
    at += aligned(bytes)
    return from
  }
  const decoded = columns.map(({ bits, base, nulls, bytes, unscaled, words }): BatchColumn => {
    const from = next(bytes)
    const data = buffer.slice(from, from + bytes)
    const chunk = { rows, bits, base, nulls, data, checksum: 0, least: null, most: null }
    if (!words) return { kind: 'numbers', values: chunk, unscaled: new Map(unscaled) }
    const ends = new Int32Array(buffer, next(words.count * END_BYTES), words.count)
    return {
      kind: 'texts',
      codes: chunk,
      words: { ends, bytes: new Uint8Array(buffer, next(words.bytes), words.bytes) },
    }
  })
  return { rows, columns: decoded }
}

/** The first so many rows of a batch, as a batch of their own. @throws Error for damage */
export function firstRowsOf(buffer: ArrayBuffer, rows: number): ArrayBuffer {
  const batch = decodeBatch(buffer)
  const valuesOf = (chunk: EncodedChunk): Float64Array => {
    const values = new Float64Array(batch.rows)
    decodeNumbers(chunk, values)
    return values.subarray(0, rows)
  }
  const columns = batch.columns.map((column): WrittenColumn => {
    if (column.kind === 'texts')
      return { values: valuesOf(column.codes), texts: { packed: column.words }, unscaled: [] }
    const unscaled = [...column.unscaled].filter(([row]) => row < rows)
    return { values: valuesOf(column.values), texts: null, unscaled }
  })
  return encodeBatch(columns, rows)
}
