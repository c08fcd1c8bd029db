import { insertColumnChunk, nextChunk } from './segment-store'
import { columnRanges, liveRows, type Manifest, type ManifestChunk } from './manifest'
import { decodeCodes, decodeNumbers, encodeNumbers } from '../columns/chunk'
import { chunkTexts, encodeTexts } from '../columns/texts/chunk-texts'
import type { ColumnTable } from '../columns/column-table'
import type { WarehouseContext } from '../context'
import type { Column } from '../../shared/data-sources/data-sources'

/** A chunk of which more rows do not count is written anew. */
const DELETED_MAX_SHARE = 0.2

/** Chunks that are written as one, from a place in the manifest on. */
export interface MergeRange {
  from: number
  count: number
}

/**
 * What of a manifest is worth writing anew: chunks with many deleted rows, and, at its end, those no larger than what
 * comes after them, so that many small appends write each row only a few times.
 * @param chunkRows rows that a chunk may have
 */
export function rangesToMerge(manifest: Manifest, chunkRows: number): MergeRange[] {
  const tail = tailToMerge(manifest, chunkRows)
  const isLoose = (place: number, { rows, deleted }: ManifestChunk): boolean =>
    place >= tail || (deleted?.rows ?? 0) > rows * DELETED_MAX_SHARE
  const ranges: (MergeRange & { rows: number })[] = []
  for (const [place, chunk] of manifest.entries()) {
    if (!isLoose(place, chunk)) continue
    const last = ranges.at(-1)
    const isNext = last !== undefined && last.from + last.count === place && last.rows + liveRows(chunk) <= chunkRows
    if (isNext) {
      last.count += 1
      last.rows += liveRows(chunk)
    } else ranges.push({ from: place, count: 1, rows: liveRows(chunk) })
  }
  return ranges.filter(({ from, count }) => count > 1 || (manifest[from]?.deleted?.rows ?? 0) > 0)
}

/** Where the chunks begin that are merged at the end. */
function tailToMerge(manifest: Manifest, chunkRows: number): number {
  let from = manifest.length
  let rows = 0
  for (let place = manifest.length - 1; place >= 0; place -= 1) {
    const chunk = manifest[place]
    const own = chunk ? liveRows(chunk) : 0
    if (rows > 0 && (own > rows || own + rows > chunkRows)) break
    rows += own
    from = place
  }
  return from
}

/**
 * Writes the chunks of some ranges anew, under a set that is staged. Answers the manifest with them.
 * @param table the columns of the manifest
 */
export async function mergeChunks(
  context: WarehouseContext,
  of: { table: ColumnTable; manifest: Manifest; columns: readonly Column[]; into: number; from: number },
  ranges: readonly MergeRange[],
): Promise<ManifestChunk[]> {
  const { table, manifest, columns, into } = of
  // The table leaves chunks without rows out.
  const places = manifest.flatMap((chunk, place) => (liveRows(chunk) > 0 ? [place] : []))
  let n = Math.max(of.from, nextChunk(context, into))
  const merged: ManifestChunk[] = []
  let done = 0
  for (const { from, count } of ranges) {
    merged.push(...manifest.slice(done, from))
    done = from + count
    const chunks = places.flatMap((place, chunk) => (place >= from && place < done ? [chunk] : []))
    const rows = chunks.reduce((sum, chunk) => sum + (table.chunks[chunk] ?? 0), 0)
    if (rows === 0) continue
    for (const column of columns) {
      context.transaction(() => writeMerged(context, { table, chunks, column, rows }, { tableSet: into, n }))
      await context.pause()
    }
    merged.push({ n, rows, columns: columnRanges(columns.map(({ key }) => key)) })
    n += 1
  }
  return [...merged, ...manifest.slice(done)]
}

function writeMerged(
  context: WarehouseContext,
  of: { table: ColumnTable; chunks: readonly number[]; column: Column; rows: number },
  at: { tableSet: number; n: number },
): void {
  const { table, chunks, column, rows } = of
  const { key, type, scale } = column
  if (type === 'text' && table.holdsTexts(key)) {
    const texts = function* (): Generator<string | null> {
      for (const chunk of chunks) yield* chunkTexts(table, key, chunk)
    }
    insertColumnChunk(context, at.tableSet, { chunk: at.n, of: { kind: 'texts', key, parts: encodeTexts(texts()) } })
    return
  }
  const values = new Float64Array(rows)
  let first = 0
  for (const chunk of chunks) {
    const own = table.chunks[chunk] ?? 0
    const to = values.subarray(first, first + own)
    if (type === 'text') {
      const codes = new Int32Array(own)
      decodeCodes(table.read(key, chunk), codes)
      to.set(codes)
    } else decodeNumbers(table.read(key, chunk), to)
    first += own
  }
  const words = { first: 1, added: [] }
  const merged = { kind: 'values' as const, key, chunk: encodeNumbers(values, rows), scale, words }
  insertColumnChunk(context, at.tableSet, { chunk: at.n, of: merged })
}
