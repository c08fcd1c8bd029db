import { CHUNK_ROWS, encodeNumbers, type EncodedChunk } from './chunk'
import { Dictionary } from './dictionary'
import type { StorageValue } from '../../lib/storage-value'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What a chunk's rows came to in one column. */
export interface ColumnChunk {
  key: ColumnKey
  chunk: EncodedChunk
  /** Decimals of its numbers, which are whole; undefined: they are as they are. */
  scale: number | undefined
  /** Texts that no chunk before had, and the code of the first of them. */
  words: { first: number; added: string[] }
}

/** A one-element array is an unscaled number outside its column's scale. */
export type StagedCell = StorageValue | [number]

/** Rows for which there is room at first. */
const FIRST_ROWS = 1024
/** Numbers with more decimals lie as they are. */
export const SCALE_MAX = 4

/** Gathers one column's cells, and encodes them when a chunk's rows are there. */
export class ColumnEncoder {
  readonly key: ColumnKey
  readonly #columnScale: number | undefined
  readonly #dictionary: Dictionary | null
  #values = new Float64Array(FIRST_ROWS)
  #rows = 0
  /** Of the chunk that is being filled. */
  #scale: number | undefined
  #told: number

  /** @param words the texts of the chunks before, where it is a column of texts */
  constructor(column: Pick<Column, 'key' | 'type' | 'scale'>, words: readonly string[]) {
    this.key = column.key
    this.#columnScale = column.scale
    this.#scale = column.scale
    this.#dictionary = column.type === 'text' ? new Dictionary(words) : null
    this.#told = words.length
  }

  /** Characters of its dictionary. */
  get chars(): number {
    return this.#dictionary?.chars ?? 0
  }

  /** @throws Error for a cell of another kind than its column */
  add(cell: StagedCell): void {
    const at = this.#rows
    this.#rows += 1
    if (at === this.#values.length) this.#lengthen()
    if (this.#dictionary) {
      if (cell !== null && typeof cell !== 'string') throw new Error('A text was expected.')
      this.#values[at] = this.#dictionary.codeOf(cell)
    } else if (typeof cell === 'string') throw new Error('A number was expected.')
    else if (typeof cell === 'object' && cell !== null) this.#values[at] = this.#unscaled(cell[0], at)
    else this.#values[at] = cell === null ? Number.NaN : this.#scaled(cell)
  }

  /** A number in the scale of the column, in that of the chunk. */
  #scaled(value: number): number {
    const from = this.#columnScale
    if (from === undefined || from === this.#scale) return value
    if (this.#scale === undefined) return value / 10 ** from
    const more = value * 10 ** (this.#scale - from)
    if (Number.isSafeInteger(more)) return more
    this.#rescale(undefined, this.#rows - 1)
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

  /** What was gathered, and begins anew. */
  take(): ColumnChunk {
    const words = { first: this.#told + 1, added: this.#dictionary?.wordsFrom(this.#told) ?? [] }
    this.#told = this.#dictionary?.size ?? 0
    const chunk = encodeNumbers(this.#values, this.#rows)
    const scale = this.#scale
    this.#rows = 0
    this.#scale = this.#columnScale
    return { key: this.key, chunk, scale, words }
  }
}
