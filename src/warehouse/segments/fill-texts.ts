import { deleteChunkTexts, insertTexts } from './segment-store'
import type { AdaptiveBatch } from '../adaptive-batch'
import { CHUNK_ROWS } from '../columns/chunk'
import { TextPartEncoder, type EncodedTexts } from '../columns/texts/text-chunk'
import type { WarehouseContext } from '../context'
import { groupTable, quotedName, type TableSet } from '../tables'
import type { ColumnKey } from '../../shared/data-sources/files'

interface TextsRequest {
  key: ColumnKey
  chunks: readonly number[]
  batch: AdaptiveBatch
  assertUnchanged: () => void
}

/** Writes the texts of a column as such, chunk by chunk. They count only where their chunk does: one may be left half done. */
export async function fillTexts(
  context: WarehouseContext,
  set: TableSet,
  { key, chunks, batch, assertUnchanged }: TextsRequest,
): Promise<void> {
  for (const chunk of chunks) {
    const at = { tableSet: set.n, key, chunk }
    const encoder = new TextPartEncoder()
    const write = (part: EncodedTexts | null): void => {
      if (part) insertTexts(context, at, part)
    }
    deleteChunkTexts(context, at)
    const end = (chunk + 1) * CHUNK_ROWS
    for (let after = chunk * CHUNK_ROWS; after < end;) {
      const to = Math.min(end, after + batch.size)
      await batch.run(() => {
        assertUnchanged()
        for (const cell of textsBetween(context, set, { key, after, to })) write(encoder.add(cell))
      })
      after = to
    }
    write(encoder.end())
  }
}

function* textsBetween(
  context: WarehouseContext,
  set: TableSet,
  { key, after, to }: { key: ColumnKey; after: number; to: number },
): Generator<string | null> {
  const group = set.layout.findIndex((keys) => keys.includes(key))
  const query = `SELECT ${quotedName(key)} FROM ${groupTable(set, group)} WHERE r > ? AND r <= ? ORDER BY r`
  for (const [cell] of context.sql.exec(query, after, to).raw())
    yield typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null
}
