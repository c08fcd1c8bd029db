/** A cell of a made workbook. A text of the shared list is named by its number. */
export type MadeCell =
  | { at: readonly [row: number, column: number]; number: number; style?: number; rk?: true }
  | { at: readonly [row: number, column: number]; numbers: number[]; style?: number }
  | { at: readonly [row: number, column: number]; text: string; rich?: true }
  | { at: readonly [row: number, column: number]; shared: number }
  | { at: readonly [row: number, column: number]; boolean: boolean }
  | { at: readonly [row: number, column: number]; error: number }
  | { at: readonly [row: number, column: number]; formula: number | boolean | string | { error: number } | null }

export interface MadeBinarySheet {
  name: string
  cells: readonly MadeCell[]
  /** Rows and columns from 0, both ends included. */
  merges?: readonly { rows: [number, number]; columns: [number, number] }[]
  state?: 'hidden' | 'veryHidden'
  kind?: 'worksheet' | 'chart'
}
export interface MadeBinaryWorkbook {
  sheets: readonly MadeBinarySheet[]
  strings?: readonly string[]
  /** Number formats in the order of the cells' style numbers, from 1 on; 0 is General. */
  formats?: readonly string[]
  date1904?: boolean
}

/** How a number fits into four bytes, or null. */
export function rkOf(value: number): number | null {
  for (const [factor, flag] of [
    [1, 0],
    [100, 1],
  ] as const) {
    const scaled = value * factor
    if (Number.isInteger(scaled) && Math.abs(scaled) < 2 ** 29 && scaled / factor === value)
      return (scaled << 2) | 2 | flag
  }
  return null
}
