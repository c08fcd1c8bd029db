import type { StoredPart } from './read-stream'
import { extractTables } from '../../features/uploads/extract-tables'
import { OutputBudget } from '../../features/uploads/output-budget'
import type { StoredTableInfo } from '../../features/uploads/store'
import { CANONICAL_CSV } from '../../formats/csv/canonical-csv'
import type { FileSample } from '../../formats/contract'
import { inspectCsv } from '../../formats/inference/inspect-csv'
import { inspectTable } from '../../formats/inference/inspect-table'
import { readObjectBytes } from '../../lib/compressed-object'
import type { CsvSettings, FileColumn, LedgerTable } from '../../shared/data-sources/files'
import type { SourceStream, StreamColumn } from '../../shared/data-sources/connectors'
import { SAMPLED_WHOLE_MAX_BYTES, SAMPLE_WINDOW_BYTES } from '../../shared/limits'

/** One table that a sync read: where its text lies, and what its columns are. */
export interface ReadTable {
  /** Empty: the only one of its stream. */
  name: string
  object: StoredPart
  settings: CsvSettings
  columns: FileColumn[]
  /** Names of the columns at the source, beside `columns`. */
  names: string[]
  /** Of those that tell one row from another. */
  keyNames: string[]
  ledger?: LedgerTable
  /** Amounts in the smallest unit, by name. */
  minorUnits: string[]
}

/** What of the dependencies a file is taken apart with. */
export interface TableDeps {
  files: R2Bucket
  nextKey: () => string
}

const CANONICAL_SETTINGS: CsvSettings = { ...CANONICAL_CSV, header: false, skipLines: 0 }

const roleOf = ({ role, type }: StreamColumn, isKey: boolean): FileColumn['role'] => {
  if (role !== undefined) return role
  if (isKey) return 'id'
  if (type === 'date' || type === 'datetime') return 'time'
  return type === 'integer' || type === 'number' ? 'measure' : 'dimension'
}

/** Columns that a source declares, as those of a file. */
export function declaredColumns({ columns, keyColumns }: Pick<SourceStream, 'columns' | 'keyColumns'>): FileColumn[] {
  const all = columns ?? []
  return all.map((column, index) => {
    const currencyAt = all.findIndex(({ name }) => name === column.currencyColumn)
    return {
      index,
      label: column.label ?? column.name,
      type: column.type,
      role: roleOf(column, keyColumns.includes(column.name)),
      ...(column.type === 'number' && column.scale !== undefined ? { scale: column.scale } : {}),
      ...(column.type === 'datetime' ? { zoned: column.zoned ?? false } : {}),
      format: column.currency === undefined ? { style: 'plain' } : { style: 'currency', currency: column.currency },
      ...(currencyAt < 0 ? {} : { currencyIndex: currencyAt }),
      include: true,
    }
  })
}

/** The one table of a stream whose columns are declared. */
export const declaredTable = (stream: SourceStream, object: StoredPart): ReadTable => ({
  name: '',
  object,
  settings: CANONICAL_SETTINGS,
  columns: declaredColumns(stream),
  names: (stream.columns ?? []).map(({ name }) => name),
  keyNames: [...stream.keyColumns],
  minorUnits: (stream.columns ?? []).filter(({ minorUnits }) => minorUnits).map(({ name }) => name),
})

const namesOf = (columns: FileColumn[]): string[] => columns.map(({ label }) => label)

/**
 * The tables of a file, by its bytes. Sheets and tables that nobody would choose are left out.
 * @throws ProductError `file_unreadable` or `too_large`
 */
export async function fileTables(deps: TableDeps, part: StoredPart): Promise<ReadTable[]> {
  const { objectKey, size, name: fileName } = part
  const opened = await extractTables(
    { objectKey, size, fileName },
    {
      files: deps.files,
      nextKey: deps.nextKey,
      budget: new OutputBudget(size),
      offerTurn: async () => undefined,
      // A table of a source is the same the next time, whatever is written below it.
      keepsText: true,
    },
  )
  if (opened.own) {
    const { settings, columns } = inspectCsv(await sampleOf(deps.files, part))
    return [{ name: '', object: part, settings, columns, names: namesOf(columns), keyNames: [], minorUnits: [] }]
  }
  const wanted = opened.tables.filter(({ info }) => !info.optional)
  return Promise.all(wanted.map(({ info, object }) => extractedTable(deps, info, { ...object, name: info.name })))
}

async function extractedTable(
  deps: TableDeps,
  info: StoredTableInfo,
  object: { objectKey: string; size: number; contentHash: string; name: string },
): Promise<ReadTable> {
  const part = { objectKey: object.objectKey, size: object.size, hash: object.contentHash, name: object.name }
  const sample = await sampleOf(deps.files, part)
  // A text out of an archive is read by its own settings.
  const { settings, columns } = info.kind === 'csv' ? inspectCsv(sample) : inspectTable(sample, info)
  const named = {
    name: info.name,
    object: part,
    settings,
    columns,
    names: namesOf(columns),
    keyNames: [],
    minorUnits: [],
  }
  return info.ledger ? { ...named, ledger: info.ledger } : named
}

/** Head, middle and tail of a stored text; a small one whole. */
export async function sampleOf(files: R2Bucket, { objectKey, size, name }: StoredPart): Promise<FileSample> {
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    (await readObjectBytes(files, objectKey, { offset, length })) ?? new Uint8Array(0)
  if (size === 0) return { fileName: name, size, head: new Uint8Array(0) }
  if (size <= SAMPLED_WHOLE_MAX_BYTES) return { fileName: name, size, head: await read(0, size) }
  const window = SAMPLE_WINDOW_BYTES
  // Even offsets keep two-byte encodings aligned.
  const middleAt = 2 * Math.floor((size - window) / 4)
  const tailAt = 2 * Math.floor((size - window) / 2)
  const [head, middle, tail] = await Promise.all([read(0, window), read(middleAt, window), read(tailAt, size - tailAt)])
  return { fileName: name, size, head, middle, tail }
}
