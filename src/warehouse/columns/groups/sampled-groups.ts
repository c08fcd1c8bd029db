import type { RowSource } from '../column-vectors'
import { longestChunk } from '../column-table'
import type { FactRows } from '../folds/fact-folds'

/** Chunks that are looked into, spread over all, and rows of them. */
const CHUNKS = 8
const ROWS = 2 ** 14

/**
 * How many groups the rows of a fact have at least, as a sample of them tells: those that were met, and as many more as
 * the ones met once and twice speak for (A. Chao, 1984: a lower bound, whatever the groups' sizes are).
 */
export function sampledGroups({
  source,
  splits,
  arms,
}: Pick<FactRows, 'splits' | 'arms'> & { source: Pick<RowSource, 'table'> }): number {
  const chosen = spread(source)
  const stride = Math.max(1, Math.ceil(chosen.reduce((sum, { rows }) => sum + rows, 0) / ROWS))
  const seen = new Map<string, number>()
  const ordinals = splits.map(() => new Int32Array(longestChunk(source.table)))
  const [first] = arms
  for (const place of chosen) {
    if (first?.mayHold(place.chunk) !== true) continue
    const mask = first.mask?.(place)
    const passes = new Uint8Array(place.rows)
    for (let row = 0; row < place.rows; row += stride) passes[row] = mask ? (mask[row] ?? 0) : 1
    for (const [i, split] of splits.entries()) split.fill(place, 0, ordinals[i] ?? new Int32Array(0), passes)
    for (let row = 0; row < place.rows; row += stride) {
      if (passes[row] === 0) continue
      const name = ordinals.map((own) => own[row]).join(' ')
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }
  }
  return Math.min(source.table.rows, atLeast([...seen.values()]))
}

function atLeast(times: readonly number[]): number {
  const once = times.filter((n) => n === 1).length
  const twice = times.filter((n) => n === 2).length
  return times.length + (twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2)
}

function spread({ table: { chunks } }: Pick<RowSource, 'table'>): { chunk: number; rows: number }[] {
  const every = Math.max(1, chunks.length / CHUNKS)
  const places = Array.from({ length: Math.min(CHUNKS, chunks.length) }, (_, i) => Math.floor(i * every))
  return places.map((chunk) => ({ chunk, rows: chunks[chunk] ?? 0 }))
}
