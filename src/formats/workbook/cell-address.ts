/** What a sheet can hold at most. */
export const SHEET_MAX_ROWS = 1_048_576
export const SHEET_MAX_COLUMNS = 16_384

/** A rectangle of cells; rows and columns count from 1 and 0, both ends belong to it. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

const ADDRESS_PATTERN = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i

/** 0-based column of the letters at the start of an address; -1 when there are none or they lie beyond the sheet. */
export function columnIndexOf(address: string): number {
  let column = 0
  let at = 0
  for (; at < address.length && at < 4; at++) {
    const letter = (address.charCodeAt(at) | 32) - 96
    if (!(letter >= 1 && letter <= 26)) break
    column = column * 26 + letter
  }
  return at > 0 && column <= SHEET_MAX_COLUMNS ? column - 1 : -1
}

export function cellAddress(column: number, row: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}

/** `A1:B2` or `A1`; null for anything else. */
export function parseCellRange(text: string): CellRange | null {
  const [from = '', to = from] = text.split(':')
  const [first, last] = [ADDRESS_PATTERN.exec(from), ADDRESS_PATTERN.exec(to)]
  if (!first || !last) return null
  const [rowA, rowB] = [Number(first[2]), Number(last[2])]
  const [columnA, columnB] = [columnIndexOf(first[1] ?? ''), columnIndexOf(last[1] ?? '')]
  if (columnA < 0 || columnB < 0) return null
  return {
    top: Math.min(rowA, rowB),
    bottom: Math.max(rowA, rowB),
    left: Math.min(columnA, columnB),
    right: Math.max(columnA, columnB),
  }
}
