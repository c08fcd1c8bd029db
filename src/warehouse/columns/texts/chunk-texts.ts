import { decodeCodes } from '../chunk'
import type { ColumnTable } from '../column-table'
import { TextPart, TextPartEncoder, type EncodedTexts } from './text-chunk'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** The texts of a chunk's rows, one after the other, however they are kept; null is an empty cell. */
export function* chunkTexts(table: ColumnTable, key: ColumnKey, chunk: number): Generator<string | null> {
  const rows = table.chunks[chunk] ?? 0
  if (table.holdsTexts(key)) {
    for (let row = 0; row < rows;) {
      const part = new TextPart(table.readTexts(key, { chunk, row }))
      for (; row < part.first + part.rows; row += 1) yield part.text(row)
    }
    return
  }
  const codes = new Int32Array(rows)
  decodeCodes(table.read(key, chunk), codes)
  const words = table.words(key)
  for (const code of codes) yield words[code - 1] ?? null
}

export function encodeTexts(texts: Iterable<string | null>): EncodedTexts[] {
  const encoder = new TextPartEncoder()
  const parts: EncodedTexts[] = []
  for (const text of texts) {
    const part = encoder.add(text)
    if (part) parts.push(part)
  }
  const last = encoder.end()
  return last ? [...parts, last] : parts
}

/** Texts of the rows that count. */
export function* withoutDeleted(parts: Iterable<EncodedTexts>, deleted: Uint8Array): Generator<string | null> {
  for (const encoded of parts) {
    const part = new TextPart(encoded)
    for (let row = part.first; row < part.first + part.rows; row += 1)
      if (!(((deleted[row >> 3] ?? 0) >> (row & 7)) & 1)) yield part.text(row)
  }
}
