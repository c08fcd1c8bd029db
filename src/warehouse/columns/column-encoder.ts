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

/** Rows for which there is room at first. */
const FIRST_ROWS = 1024

/**
 * - `within`: chunks hold its values.
 * - `large`: it has more different texts than a dictionary holds, or than there is room for beside those of others.
 * - `unfit`: a cell is of another kind than its column, or a text that the rows may keep otherwise.
 */
export type EncoderState = 'within' | 'large' | 'unfit'

/** The longest dictionaries are given up until all together have at most so many characters. */
export function keepWithin(encoders: readonly ColumnEncoder[], charsMax: number): void {
  let chars = encoders.reduce((sum, encoder) => sum + encoder.chars, 0)
  if (chars <= charsMax) return
  for (const encoder of encoders.toSorted((a, b) => b.chars - a.chars)) {
    chars -= encoder.chars
    encoder.giveUp('large')
    if (chars <= charsMax) return
  }
}

/** Gathers one column's cells, and encodes them when a chunk's rows are there. */
export class ColumnEncoder {
  readonly key: ColumnKey
  #values = new Float64Array(FIRST_ROWS)
  #dictionary: Dictionary | null
  #rows = 0
  #told: number
  #state: EncoderState = 'within'

  /**
   * @param words the texts of the chunks before, where it is a column of texts
   * @param from batches of a load, or the rows as SQLite keeps them
   */
  constructor(column: Pick<Column, 'key' | 'type'>, words: readonly string[], from: 'batches' | 'rows') {
    this.key = column.key
    this.#dictionary = column.type === 'text' ? new Dictionary(words, from === 'batches') : null
    this.#told = words.length
  }

  get state(): EncoderState {
    return this.#state
  }
  /** Characters of its dictionary. */
  get chars(): number {
    return this.#dictionary?.chars ?? 0
  }

  add(cell: StorageValue): void {
    const at = this.#rows
    this.#rows += 1
    if (this.#state !== 'within') return
    if (at === this.#values.length) this.#lengthen()
    if (this.#dictionary) this.#values[at] = this.#codeOf(this.#dictionary, cell)
    else if (typeof cell === 'string') this.giveUp('unfit')
    else this.#values[at] = cell ?? Number.NaN
  }
  #codeOf(dictionary: Dictionary, cell: StorageValue): number {
    const code = typeof cell === 'number' ? null : dictionary.codeOf(cell)
    if (code === null) this.giveUp('unfit')
    else if (dictionary.isTooLarge) this.giveUp('large')
    return code ?? 0
  }
  #lengthen(): void {
    const longer = new Float64Array(Math.min(CHUNK_ROWS, this.#values.length * 4))
    longer.set(this.#values)
    this.#values = longer
  }

  giveUp(state: 'large' | 'unfit'): void {
    this.#state = state
    this.#dictionary = null
    this.#values = new Float64Array(0)
  }

  /** What was gathered, and begins anew. Null when no chunk can hold the column. */
  take(): ColumnChunk | null {
    const rows = this.#rows
    this.#rows = 0
    if (this.#state !== 'within') return null
    const words = { first: this.#told + 1, added: this.#dictionary?.wordsFrom(this.#told) ?? [] }
    this.#told = this.#dictionary?.size ?? 0
    return { key: this.key, chunk: encodeNumbers(this.#values, rows), words }
  }
}
