import type { ColumnTable } from '../column-table'
import type { TextCells } from '../column-vectors'
import { TextPart } from './text-chunk'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Reads the part of a chunk's texts in which a row is; the next row is mostly in the same. */
export function storedCells(table: ColumnTable, key: ColumnKey): TextCells {
  return ({ chunk }) => {
    let part: TextPart | null = null
    const partOf = (row: number): TextPart => {
      if (part?.holds(row) === true) return part
      part = new TextPart(table.readTexts(key, { chunk, row }))
      return part
    }
    const picked = table.picked?.(chunk)
    const at = (row: number): number => (picked ? (picked[row] ?? 0) : row)
    return {
      text: (row) => partOf(at(row)).text(at(row)),
      peek: (row) => partOf(at(row)).peek(at(row)),
      bytes: (row) => partOf(at(row)).bytes(at(row)),
      codeIn: (index, row) => partOf(at(row)).codeIn(index, at(row)),
    }
  }
}
