import type { ColumnTable } from '../column-table'

/** Marks rows of a table, a bitmap for each chunk that has any. */
export class RowMarks {
  readonly #bitmaps = new Map<number, Uint8Array>()
  readonly #counts = new Map<number, number>()
  readonly #chunks: ColumnTable['chunks']
  count = 0

  constructor(chunks: ColumnTable['chunks']) {
    this.#chunks = chunks
  }

  mark(chunk: number, row: number): void {
    const bitmap = this.#bitmaps.get(chunk) ?? new Uint8Array(Math.ceil((this.#chunks[chunk] ?? 0) / 8))
    this.#bitmaps.set(chunk, bitmap)
    const byte = bitmap[row >> 3] ?? 0
    if ((byte >> (row & 7)) & 1) return
    bitmap[row >> 3] = byte | (1 << (row & 7))
    this.#counts.set(chunk, (this.#counts.get(chunk) ?? 0) + 1)
    this.count += 1
  }
  has(chunk: number, row: number): boolean {
    return (((this.#bitmaps.get(chunk)?.[row >> 3] ?? 0) >> (row & 7)) & 1) === 1
  }
  countIn(chunk: number): number {
    return this.#counts.get(chunk) ?? 0
  }
}
