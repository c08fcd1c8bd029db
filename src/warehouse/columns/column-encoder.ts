import { CHUNK_ROWS, decodeCodes, decodeNumbers, encodeNumbers, type EncodedChunk } from './chunk'
import type { BatchColumn } from './column-batch'
import { Dictionary } from './dictionary'
import { TextPartEncoder, type EncodedTexts } from './texts/text-chunk'
import type { StorageValue } from '../../lib/storage-value'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What a chunk's rows came to in one column. */
export type ColumnChunk = ValueChunk | TextChunk
interface ValueChunk {
  kind: 'values'
  key: ColumnKey
  chunk: EncodedChunk
  /** Decimals of its numbers, which are whole; undefined: they are as they are. */
  scale: number | undefined
  /** Texts that no chunk before had, and the code of the first of them. */
  words: { first: number; added: string[] }
}
/** Of a column whose texts are too many for a dictionary. */
interface TextChunk {
  kind: 'texts'
  key: ColumnKey
  parts: EncodedTexts[]
}

/** A one-element array is an unscaled number outside its column's scale. */
export type StagedCell = StorageValue | [number]

/** Rows for which there is room at first. */
const FIRST_ROWS = 1024
/** Numbers with more decimals lie as they are. */
export const SCALE_MAX = 4

/** The longest dictionaries are given up until all together have at most so many characters. */
export function keepWithin(encoders: readonly ColumnEncoder[], charsMax: number): void {
  let chars = encoders.reduce((sum, encoder) => sum + encoder.chars, 0)
  if (chars <= charsMax) return
  for (const encoder of encoders.toSorted((a, b) => b.chars - a.chars)) {
    chars -= encoder.chars
    encoder.dropDictionary()
    if (chars <= charsMax) return
  }
}

/** Gathers one column's cells, and encodes them when a chunk's rows are there. */
export class ColumnEncoder {
  readonly key: ColumnKey
  readonly #columnScale: number | undefined
  #dictionary: Dictionary | null
  /** Where its texts are too many for a dictionary. */
  #texts: TextPartEncoder | null
  #parts: EncodedTexts[] = []
  #values = new Float64Array(FIRST_ROWS)
  #rows = 0
  /** Of the chunk that is being filled. */
  #scale: number | undefined
  #told: number

  /** @param before of a column of texts: those of the chunks before; null when they were too many for a dictionary */
  constructor(column: Pick<Column, 'key' | 'type' | 'scale'>, before: readonly string[] | null = []) {
    this.key = column.key
    this.#columnScale = column.scale
    this.#scale = column.scale
    this.#dictionary = column.type === 'text' && before ? new Dictionary(before) : null
    this.#texts = column.type === 'text' && !before ? new TextPartEncoder() : null
    this.#told = before?.length ?? 0
  }

  /** Characters of its dictionary. */
  get chars(): number {
    return this.#dictionary?.chars ?? 0
  }

  /** Bytes of the chunk's texts, where there is no dictionary. */
  get textBytes(): number {
    return this.#parts.reduce((sum, { data }) => sum + data.byteLength, 0)
  }

  /** @throws Error for a cell of another kind than its column */
  add(cell: StagedCell): void {
    const at = this.#rows
    this.#rows += 1
    if (this.#dictionary || this.#texts) {
      if (cell !== null && typeof cell !== 'string') throw new Error('A text was expected.')
      this.#addText(cell, at)
      return
    }
    if (at === this.#values.length) this.#lengthen()
    if (typeof cell === 'string') throw new Error('A number was expected.')
    if (typeof cell === 'object' && cell !== null) this.#values[at] = this.#unscaled(cell[0], at)
    else this.#values[at] = cell === null ? Number.NaN : this.#scaled(cell, at)
  }

  /** The same of a batch's cells. @throws Error for those of another kind than the column */
  addBatch(column: BatchColumn, rows: number): void {
    if (this.#dictionary || this.#texts) {
      if (column.kind !== 'texts') throw new Error('Texts were expected.')
      this.#addTexts(column, rows)
      return
    }
    if (column.kind !== 'numbers') throw new Error('Numbers were expected.')
    const first = this.#room(rows)
    decodeNumbers(column.values, this.#values.subarray(first))
    if (column.unscaled.size === 0 && this.#scale === this.#columnScale) return
    for (let row = 0; row < rows; row += 1) {
      const [at, own] = [first + row, column.unscaled.get(row)]
      this.#values[at] = own === undefined ? this.#scaled(this.#values[at] ?? Number.NaN, at) : this.#unscaled(own, at)
    }
  }
  #addTexts({ codes, words }: BatchColumn & { kind: 'texts' }, rows: number): void {
    const own = new Int32Array(rows)
    decodeCodes(codes, own)
    const startOf = (code: number): number => (code === 1 ? 0 : (words.ends[code - 2] ?? 0))
    const endOf = (code: number): number => words.ends[code - 1] ?? 0
    if (!this.#dictionary) {
      this.#rows += rows
      for (const code of own) this.#addPart(code === 0 ? null : words.bytes.subarray(startOf(code), endOf(code)))
      return
    }
    // Words that no row has are those of rows that were rejected: they are not taken in.
    const known = new Int32Array(words.ends.length + 1)
    const first = this.#room(rows)
    for (let row = 0; row < rows; row += 1) {
      const code = own[row] ?? 0
      if (code !== 0 && known[code] === 0)
        known[code] = this.#dictionary.codeOfBytes(words.bytes, startOf(code), endOf(code))
      this.#values[first + row] = known[code] ?? 0
    }
    if (this.#dictionary.isTooLarge) this.dropDictionary()
  }
  #addPart(bytes: Uint8Array | null): void {
    const part = this.#texts?.addBytes(bytes)
    if (part) this.#parts.push(part)
  }
  /** Makes room for more rows, and answers the place of the first of them. */
  #room(rows: number): number {
    const first = this.#rows
    this.#rows += rows
    if (this.#rows > CHUNK_ROWS) throw new Error('A chunk has no room for so many rows.')
    while (this.#values.length < this.#rows) this.#lengthen()
    return first
  }

  #addText(text: string | null, at: number): void {
    if (!this.#dictionary) {
      const part = this.#texts?.add(text)
      if (part) this.#parts.push(part)
      return
    }
    if (at === this.#values.length) this.#lengthen()
    this.#values[at] = this.#dictionary.codeOf(text)
    if (this.#dictionary.isTooLarge) this.dropDictionary()
  }

  /** Keeps texts as they are from this chunk on. */
  dropDictionary(): void {
    const words = this.#dictionary?.words
    if (!words) return
    this.#dictionary = null
    this.#texts = new TextPartEncoder()
    for (let i = 0; i < this.#rows; i += 1) this.#addText(words[(this.#values[i] ?? 0) - 1] ?? null, i)
  }

  /** A number in the scale of the column, in that of the chunk. */
  #scaled(value: number, before: number): number {
    const from = this.#columnScale
    if (from === undefined || from === this.#scale) return value
    if (this.#scale === undefined) return value / 10 ** from
    const more = value * 10 ** (this.#scale - from)
    if (Number.isNaN(value) || Number.isSafeInteger(more)) return more
    this.#rescale(undefined, before)
    return value / 10 ** from
  }
  /** A number as it is, in the scale of the chunk, which gets as many decimals as it takes, or none any more. */
  #unscaled(value: number, before: number): number {
    for (let scale = this.#scale ?? Infinity; scale <= SCALE_MAX; scale += 1) {
      const whole = Math.round(value * 10 ** scale)
      if (whole / 10 ** scale !== value || !Number.isSafeInteger(whole)) continue
      if (scale !== this.#scale && !this.#rescale(scale, before)) break
      return whole
    }
    this.#rescale(undefined, before)
    return value
  }
  /** Brings what was gathered to another scale. False, and nothing is changed, where it would not be whole any more. */
  #rescale(to: number | undefined, rows: number): boolean {
    const from = this.#scale
    if (from === undefined) return true
    const gathered = this.#values.subarray(0, rows)
    const times = 10 ** ((to ?? from) - from)
    if (gathered.some((value) => Math.abs(value) * times > Number.MAX_SAFE_INTEGER)) return false
    for (let i = 0; i < rows; i += 1)
      gathered[i] = to === undefined ? (gathered[i] ?? 0) / 10 ** from : (gathered[i] ?? 0) * times
    this.#scale = to
    return true
  }

  #lengthen(): void {
    const longer = new Float64Array(Math.min(CHUNK_ROWS, this.#values.length * 4))
    longer.set(this.#values)
    this.#values = longer
  }

  /** Of the chunk's texts without a dictionary, those that need not wait for its end: {@link take} leaves them out. */
  takeFullParts(): EncodedTexts[] {
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  /** What was gathered, and begins anew. */
  take(): ColumnChunk {
    const { key } = this
    const rows = this.#rows
    this.#rows = 0
    if (this.#texts) {
      const last = this.#texts.end()
      const parts = last ? [...this.#parts, last] : this.#parts
      this.#parts = []
      return { kind: 'texts', key, parts }
    }
    const words = { first: this.#told + 1, added: this.#dictionary?.wordsFrom(this.#told) ?? [] }
    this.#told = this.#dictionary?.size ?? 0
    const chunk = encodeNumbers(this.#values, rows)
    const scale = this.#scale
    this.#scale = this.#columnScale
    return { kind: 'values', key, chunk, scale, words }
  }
}
