import { replacesRows } from './begin'
import type { LoadRecord } from './load'
import { matchKeys, type KeyMatches } from './match-keys'
import { boundsOf, targetColumns } from './scale'
import { assertRowLimit } from './staging'
import type { WarehouseContext } from '../context'
import type { ColumnTable } from '../columns/column-table'
import { mergeChunks, rangesToMerge } from '../segments/compaction'
import { withoutRows } from '../segments/deletions'
import { countLiveRows, type ManifestChunk } from '../segments/manifest'
import { nextChunk } from '../segments/segment-store'
import { rowsPerChunk, writeStagedChunks } from '../segments/staged-columns'
import { storedColumns } from '../segments/stored-columns'
import { getTableSet, type TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'

/** The rows of the version that a load makes, as they will lie. */
export interface PreparedRows {
  columns: Column[]
  manifest: readonly ManifestChunk[]
  bounds: TableSet['bounds']
  rowCount: number
  /** Of the staged rows, those that count. */
  added: number
  /** Upsert: staged rows with the key of a later one. Append with a key: rows whose key is there twice now. */
  duplicates: number
  /** Rows whose place the staged ones take. */
  replaced: number
  /** The set whose rows stay; null when none does. */
  base: number | null
}

/** Brings the staged rows into their last form, beside the rows that are there: nothing of it is seen yet. */
export async function prepareRows(
  context: WarehouseContext,
  load: LoadRecord & { tableSet: number },
  live: TableSet | null,
): Promise<PreparedRows> {
  await writeStagedChunks(context, { tableSet: load.tableSet, base: live?.n ?? null })
  const staging = getTableSet(context, load.tableSet)
  if (countLiveRows(staging.manifest ?? []) !== load.staged) throw new Error('Staged rows are missing.')
  const columns = targetColumns(context, { staging, live })
  const { mode, keyColumns } = load.spec
  const compares = replacesRows(mode) || (mode === 'append' && keyColumns.length > 0)
  const matches = compares ? await matchStaged(context, { staging, live, columns }, keyColumns) : null
  const added = mode === 'upsert' && matches ? load.staged - matches.repeated.count : load.staged
  const replaced = replacesRows(mode) && matches ? matches.matched.count : 0
  const rowCount = countLiveRows(live?.manifest ?? []) - replaced + added
  assertRowLimit(rowCount)
  const kept = context.transaction(() => keptChunks(context, load, { staging, live, matches }))
  const { manifest, table } = await compacted(context, { staging, live, columns, manifest: kept })
  const repeated = matches === null ? 0 : load.staged - matches.keys
  const duplicates = mode === 'append' ? repeated + (matches?.matched.count ?? 0) : load.staged - added
  return {
    columns,
    manifest,
    bounds: boundsOf(table, columns),
    rowCount,
    added,
    duplicates,
    replaced,
    base: live?.n ?? null,
  }
}

/** Reads chunks of the rows that are there and of the staged ones alike. */
function tableReader(
  context: WarehouseContext,
  { staging, live, columns }: Rows & { columns: Column[] },
): (manifest: readonly ManifestChunk[]) => ColumnTable {
  const staged = live ? { staged: { tableSet: staging.n, from: nextChunk(context, live.n) } } : {}
  return (manifest) => storedColumns(context.sql, { tableSet: live?.n ?? staging.n, ...staged, manifest, columns })
}

interface Rows {
  staging: TableSet
  live: TableSet | null
}

function matchStaged(
  context: WarehouseContext,
  { staging, live, columns }: Rows & { columns: Column[] },
  keys: LoadRecord['spec']['keyColumns'],
): Promise<KeyMatches> {
  const read = tableReader(context, { staging, live, columns })
  return matchKeys(
    context,
    { staged: read(staging.manifest ?? []), live: live && read(live.manifest ?? []) },
    columns.filter(({ key }) => keys.includes(key)),
  )
}

/** The chunks of what stays and of what is added, without the rows that others take the place of. */
function keptChunks(
  context: WarehouseContext,
  { spec: { mode }, tableSet: owner }: LoadRecord & { tableSet: number },
  { staging, live, matches }: Rows & { matches: KeyMatches | null },
): ManifestChunk[] {
  const before = live?.manifest ?? []
  const staged = staging.manifest ?? []
  return [
    ...(matches && replacesRows(mode) ? withoutRows(context, before, matches.matched, owner) : before),
    ...(matches && mode === 'upsert' ? withoutRows(context, staged, matches.repeated, owner) : staged),
  ]
}

async function compacted(
  context: WarehouseContext,
  { staging, live, columns, manifest }: Rows & { columns: Column[]; manifest: readonly ManifestChunk[] },
): Promise<{ manifest: readonly ManifestChunk[]; table: ColumnTable }> {
  const from = live ? nextChunk(context, live.n) : 0
  const read = tableReader(context, { staging, live, columns })
  const ranges = rangesToMerge(manifest, rowsPerChunk(columns.length))
  const of = { table: read(manifest), manifest, columns, into: staging.n, from }
  const merged = ranges.length > 0 ? await mergeChunks(context, of, ranges) : manifest
  return { manifest: merged, table: read(merged) }
}
