import { CHUNK_ROWS, encodeNumbers, type EncodedChunk } from './chunk'
import { Dictionary } from './dictionary'
import type { StorageValue } from '../../lib/storage-value'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What a chunk's rows came to in one column. */
export interface ColumnChunk {
  key: ColumnKey
  chunk: EncodedChunk
  /** Texts that no chunk before had, and the code of the first of them. */
  words: { first: number; added: string[] }
}

/** Gathers one column's cells, and encodes them when a chunk's rows are there. */
export class ColumnEncoder {
  readonly key: ColumnKey
  readonly #values = new Float64Array(CHUNK_ROWS)
  #dictionary: Dictionary | null
  #rows = 0
  #told: number
  #isWithin = true

  /** @param words the texts of the chunks before, where it is a column of texts */
  constructor(column: Pick<Column, 'key' | 'type'>, words: readonly string[]) {
    this.key = column.key
    this.#dictionary = column.type === 'text' ? new Dictionary(words) : null
    this.#told = words.length
  }

  /** False once it holds what no chunk can: more different texts than a dictionary, a number past 2^53 among whole ones. */
  get isWithin(): boolean {
    return this.#isWithin
  }

  add(cell: StorageValue): void {
    const at = this.#rows
    this.#rows += 1
    if (!this.#isWithin) return
    if (this.#dictionary) {
      if (typeof cell === 'number') this.#isWithin = false
      else this.#values[at] = this.#dictionary.codeOf(cell)
      if (this.#dictionary.isTooLarge) this.#isWithin = false
      return
    }
    if (typeof cell === 'string') this.#isWithin = false
    else this.#values[at] = cell ?? Number.NaN
  }

  /** What was gathered, and begins anew. Null when the column is no longer within bounds. */
  take(): ColumnChunk | null {
    const rows = this.#rows
    this.#rows = 0
    if (!this.#isWithin) {
      this.#dictionary = null
      return null
    }
    const words = { first: this.#told + 1, added: this.#dictionary?.wordsFrom(this.#told) ?? [] }
    this.#told = this.#dictionary?.size ?? 0
    return { key: this.key, chunk: encodeNumbers(this.#values, rows), words }
  }
}
