import type { RowSource } from '../column-vectors'
import { longestChunk } from '../column-table'
import type { FactRows } from '../folds/fact-folds'
import { hashOf } from '../number-index'
import type { ChunkPlace } from '../vectors'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** Chunks that are looked into, spread over all, and rows of them. */
const CHUNKS = 8
const ROWS = 2 ** 14

/** A group that was met: in how many rows, in how many chunks, and which was the last. */
interface MetGroup {
  rows: number
  chunks: number
  last: number
}

/**
 * How many groups the rows of a fact have, as a sample of them tells: a lower bound, whatever the groups' sizes are, in
 * two ways, of which the lesser counts. Groups of which rows lie in many chunks are those met in one chunk and in two;
 * where the rows of a group lie together, each chunk has groups of its own, as many as those looked into.
 */
export function* sampledGroups({
  source,
  splits,
  sides,
}: Pick<FactRows, 'splits' | 'sides'> & { source: Pick<RowSource, 'table'> }): QuerySteps<number> {
  const [first] = sides
  const all = source.table.chunks.flatMap((rows, chunk) => (first?.mayHold(chunk) === true ? [{ chunk, rows }] : []))
  const places = spread(all)
  const chance = ROWS / rowsOf(places)
  const seen = new Map<string, MetGroup>()
  const ordinals = splits.map(() => new Int32Array(longestChunk(source.table)))
  let [counted, sampled] = [0, 0]
  for (const place of places) {
    const mask = first?.mask?.(place)
    const passes = new Uint8Array(place.rows)
    for (let row = 0; row < place.rows; row += 1) {
      if (mask?.[row] === 0) continue
      counted += 1
      passes[row] = Number(isChosen(place, row, chance))
    }
    for (const [i, split] of splits.entries()) split.fill(place, 0, ordinals[i] ?? new Int32Array(0), passes)
    for (let row = 0; row < place.rows; row += 1) {
      if (passes[row] === 0) continue
      sampled += 1
      meet(seen, ordinals.map((own) => own[row]).join(' '), place.chunk)
    }
    yield
  }
  if (sampled === 0) return 0
  const met = [...seen.values()]
  const [share, part] = [sampled / counted, rowsOf(places) / rowsOf(all)]
  const scattered = atLeast(
    met.map(({ chunks }) => chunks),
    { units: places.length, share: share * part },
  )
  const together =
    atLeast(
      met.map(({ rows }) => rows),
      { units: sampled, share },
    ) / part
  return Math.round(Math.min(scattered, together))
}

/** Each by itself: of neighbours both may be. */
const isChosen = ({ chunk }: ChunkPlace, row: number, chance: number): boolean =>
  hashOf(row, chunk, 0) >>> 0 < chance * 2 ** 32

function meet(seen: Map<string, MetGroup>, name: string, chunk: number): void {
  const known = seen.get(name)
  if (!known) {
    seen.set(name, { rows: 1, chunks: 1, last: chunk })
    return
  }
  known.rows += 1
  known.chunks += Number(known.last !== chunk)
  known.last = chunk
}

/**
 * Those that were met, and as many more as the ones met once and twice speak for (A. Chao and C.-W. Lin, 2012: sampling
 * without replacement).
 * @param share of all there is, above 0
 */
function atLeast(times: readonly number[], { units, share }: { units: number; share: number }): number {
  const once = times.filter((n) => n === 1).length
  const twice = times.filter((n) => n === 2).length
  if (once === 0 || share === 1) return times.length
  const pairs = twice === 0 ? 0 : (units / (units - 1)) * 2 * twice
  return times.length + once ** 2 / (pairs + (share / (1 - share)) * once)
}

const rowsOf = (places: readonly ChunkPlace[]): number => places.reduce((sum, { rows }) => sum + rows, 0)

function spread(all: readonly ChunkPlace[]): ChunkPlace[] {
  const every = Math.max(1, all.length / CHUNKS)
  const chosen = Array.from({ length: Math.min(CHUNKS, all.length) }, (_, i) => Math.floor(i * every))
  return chosen.flatMap((at) => all[at] ?? [])
}
