import type { ColumnKey } from '../../shared/data-sources/files'

/** One chunk of a version. Others share it: what lies in it never changes. */
export interface ManifestChunk {
  /** Names it within its table set; never used again. */
  n: number
  /** That lie in it, also those that do not count. */
  rows: number
  /**
   * Of which columns it has values, by the numbers of their keys: `0-11 14`. Of others it has none: they came later, or
   * what was loaded did not have them.
   */
  columns: string
  /** Rows that do not count in this version. */
  deleted?: { vector: number; rows: number }
}
/** The rows of a version: its chunks in the order of the rows. */
export type Manifest = readonly ManifestChunk[]

export const liveRows = ({ rows, deleted }: ManifestChunk): number => rows - (deleted?.rows ?? 0)
export const countLiveRows = (manifest: Manifest): number => manifest.reduce((sum, chunk) => sum + liveRows(chunk), 0)

const numberOf = (key: ColumnKey): number => Number(key.slice(1))

/** Keys of columns as a chunk names them. */
export function columnRanges(keys: readonly ColumnKey[]): string {
  const ranges: [first: number, last: number][] = []
  for (const n of keys.map(numberOf).toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === n - 1) last[1] = n
    else ranges.push([n, n])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(' ')
}

/** Whether a chunk has values of a column, empty cells among them. */
export const hasColumn = ({ columns }: Pick<ManifestChunk, 'columns'>, key: ColumnKey): boolean =>
  columns.split(' ').some((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number)
    return numberOf(key) >= first && numberOf(key) <= last
  })
