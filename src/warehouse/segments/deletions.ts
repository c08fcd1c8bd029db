import { insertDeletionVector, readDeletionVector } from './segment-store'
import { liveRows, type Manifest, type ManifestChunk } from './manifest'
import type { RowMarks } from '../columns/rows/row-marks'
import type { WarehouseContext } from '../context'

/**
 * A manifest without the marked rows. Call inside a transaction.
 * @param marks of the rows that count, as questions see them: chunks without any are left out
 * @param owner the set that the deletion vectors are written under
 */
export function withoutRows(
  context: WarehouseContext,
  manifest: Manifest,
  marks: RowMarks,
  owner: number,
): ManifestChunk[] {
  let seen = 0
  return manifest.map((chunk) => {
    if (liveRows(chunk) === 0) return chunk
    const place = seen
    seen += 1
    const more = marks.countIn(place)
    if (more === 0) return chunk
    const vector = insertDeletionVector(
      context,
      owner,
      deletedWith(context, chunk, (row) => marks.has(place, row)),
    )
    return { ...chunk, deleted: { vector, rows: (chunk.deleted?.rows ?? 0) + more } }
  })
}

/** The rows from one on do not count. Call inside a transaction. */
export function withoutRowsFrom(
  context: WarehouseContext,
  manifest: Manifest,
  from: number,
  owner: number,
): ManifestChunk[] {
  let first = 0
  return manifest.flatMap((chunk): ManifestChunk[] => {
    const kept = Math.min(liveRows(chunk), from - first)
    first += liveRows(chunk)
    if (kept <= 0) return []
    if (kept === liveRows(chunk)) return [chunk]
    const vector = insertDeletionVector(
      context,
      owner,
      deletedWith(context, chunk, (row) => row >= kept),
    )
    return [{ ...chunk, deleted: { vector, rows: chunk.rows - kept } }]
  })
}

/** The bitmap of a chunk's deleted rows with more of them, which are told by their place among those that count. */
function deletedWith(
  context: WarehouseContext,
  { rows, deleted }: ManifestChunk,
  isMarked: (live: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const before = deleted ? readDeletionVector(context, { n: deleted.vector, rows }) : null
  const bitmap = before ? Uint8Array.from(before) : new Uint8Array(Math.ceil(rows / 8))
  let live = 0
  for (let row = 0; row < rows; row += 1) {
    if (before && ((before[row >> 3] ?? 0) >> (row & 7)) & 1) continue
    if (isMarked(live)) bitmap[row >> 3] = (bitmap[row >> 3] ?? 0) | (1 << (row & 7))
    live += 1
  }
  return bitmap
}
