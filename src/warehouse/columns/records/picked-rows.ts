import type { ColumnTable } from '../column-table'
import type { ChunkPlace } from '../vectors'

/** Values of single rows, each chunk that holds any of them read once. A row that is not there has `missing`. */
export function pickedValues<T>(
  table: Pick<ColumnTable, 'chunks'>,
  rows: readonly number[],
  { valuesOf, missing }: { valuesOf: (place: ChunkPlace) => (row: number) => T; missing: T },
): T[] {
  const starts: number[] = []
  let all = 0
  for (const size of table.chunks) {
    starts.push(all)
    all += size
  }
  const byChunk = new Map<number, number[]>()
  const picked = rows.map(() => missing)
  for (const [at, row] of rows.entries()) {
    if (row < 0) continue
    const chunk = chunkAt(starts, row)
    const places = byChunk.get(chunk)
    if (places) places.push(at)
    else byChunk.set(chunk, [at])
  }
  for (const [chunk, places] of [...byChunk].toSorted(([a], [b]) => a - b)) {
    const valueOf = valuesOf({ chunk, rows: table.chunks[chunk] ?? 0 })
    const start = starts[chunk] ?? 0
    // In the order in which they lie: texts are read part by part.
    for (const at of places.sort((a, b) => (rows[a] ?? 0) - (rows[b] ?? 0)))
      picked[at] = valueOf((rows[at] ?? 0) - start)
  }
  return picked
}

/** The last chunk that begins at this row or before it. */
function chunkAt(starts: readonly number[], row: number): number {
  let [from, to] = [0, starts.length - 1]
  while (from < to) {
    const middle = (from + to + 1) >> 1
    if ((starts[middle] ?? 0) <= row) from = middle
    else to = middle - 1
  }
  return from
}
