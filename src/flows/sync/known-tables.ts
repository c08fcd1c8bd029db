import type { ReadTable } from './stream-tables'
import type { Deps } from '../../deps'
import type { DriftNotice, SyncSourceParams } from '../../shared/data-sources/connections'
import { nameKey } from '../../shared/field-schemas'
import { toIso } from '../../lib/iso'
import { connectionStore, type StreamRow, type TableRow } from '../../sync/connection-store'

/**
 * The tables of a file by the names that their datasets are known by. The only table has none, so that it keeps its home when
 * its sheet is called otherwise; where it was one of several before, it keeps the name that it had among them. And of several,
 * the one with all of its columns is that which was the only one before.
 */
export function namedAsKnown(tables: readonly ReadTable[], known: readonly TableRow[]): ReadTable[] {
  const nameless = known.find(({ name }) => name === '')
  const isKnown = ({ name }: ReadTable): boolean => known.some((row) => row.name === name)
  const [first] = tables
  if (first && tables.length === 1)
    return [first.ledger || (!nameless && isKnown(first)) ? first : { ...first, name: '' }]
  const heir = nameless && tables.find((table) => !table.ledger && !isKnown(table) && hasColumns(table, nameless))
  return tables.map((table) => (table === heir ? { ...table, name: '' } : table))
}

function hasColumns({ names }: ReadTable, { columns }: TableRow): boolean {
  const there = new Set(names.map(nameKey))
  const wanted = Object.keys(columns)
  return wanted.length > 0 && wanted.every((name) => there.has(nameKey(name)))
}

/** The tables that a stream has: by the names that notices call them. */
export interface PresentTables {
  stream: string
  names: string[]
}
export const presentTables = ({ stream }: StreamRow, met: readonly string[]): PresentTables => ({
  stream: stream.label,
  names: met.map((name) => name || stream.label),
})

/** Notices without tables that are there again: one that goes once more is told once more. */
export const withoutPresentTables = (
  notices: readonly DriftNotice[],
  present: readonly PresentTables[],
): DriftNotice[] =>
  notices.flatMap((notice) => {
    const there = new Set(present.flatMap(({ stream, names }) => (stream === notice.stream ? names : [])))
    const columns = notice.kind === 'tables' ? notice.columns.filter((name) => !there.has(name)) : notice.columns
    return columns.length > 0 || notice.columns.length === 0 ? [{ ...notice, columns }] : []
  })

/**
 * Tables that were loaded from a stream before and are not in what takes the place of all of its rows: their rows stay as they
 * are, which is told once. `met`: names of those that were there.
 */
export async function goneTables(
  { db, clock }: Deps,
  { workspaceId, sourceId }: SyncSourceParams,
  { stream, met }: { stream: StreamRow; met: readonly string[] },
): Promise<DriftNotice[]> {
  const store = connectionStore(db, workspaceId)
  const [known, row] = await Promise.all([store.tables(sourceId), store.get(sourceId)])
  const names = known.flatMap(({ streamKey, name }) => (streamKey === stream.key ? [name || stream.stream.label] : []))
  const there = new Set(presentTables(stream, met).names)
  const told = (row?.notices ?? []).filter(({ kind, stream: of }) => kind === 'tables' && of === stream.stream.label)
  const gone = names.filter((name) => !there.has(name) && !told.some(({ columns }) => columns.includes(name)))
  if (gone.length === 0) return []
  return [{ stream: stream.stream.label, kind: 'tables', columns: gone, at: toIso(clock.now()) }]
}
