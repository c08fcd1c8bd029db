import { DATASET_MAX_ROWS } from '../../shared/limits'
import type { SourceStream, StreamColumn } from '../../shared/data-sources/connectors'

/** A column as the database has it. */
export interface TableColumn extends StreamColumn {
  /** The database's own name of its type, of a closed list; null: of none that values can be compared by. */
  comparedAs: string | null
}
export interface DatabaseTable {
  schema: string
  name: string
  columns: TableColumn[]
  /** Columns of the primary key, else of a key without empty values; empty: there is none. */
  key: string[]
  /** Every set of columns that the database keeps unique. */
  unique: string[][]
  /** Columns that rows are sorted by, where that is no key. Absent: by the key. */
  order?: string[]
  estimatedRows: number | null
}

/** What databases call the moment when a row was last written. */
const CHANGED_NAMES =
  /^(updated|modified|changed|last_?(updated|modified|changed)|mtime)(_?(at|on|date|time|timestamp|utc))?$|^(date_?)?(updated|modified)$/i

/** The column by which rows that are new are found: a moment of the last change. */
export const changedColumn = (columns: readonly TableColumn[]): string | null =>
  columns.find(({ name, type, comparedAs }) => type === 'datetime' && comparedAs !== null && CHANGED_NAMES.test(name))
    ?.name ?? null

export function streamOf(
  { schema, name, columns, key, estimatedRows }: DatabaseTable,
  homeSchema: string,
): SourceStream {
  const canPage = key.length > 0 && key.every((each) => columns.some((one) => one.name === each && one.comparedAs))
  const keyColumns = canPage ? key : []
  const incrementalColumn = canPage ? changedColumn(columns) : null
  return {
    key: `${schema}.${name}`,
    label: schema === homeSchema ? name : `${schema}.${name}`,
    columns: columns.map(({ comparedAs: _comparedAs, ...column }) => column),
    keyColumns,
    incrementalColumn,
    modes: modesOf({ canFollow: incrementalColumn !== null, estimatedRows }),
    proposed: false,
    ...(estimatedRows === null ? {} : { estimatedRows }),
  }
}

/** The first one is proposed: a table that holds more than an import may is queried where it is. */
function modesOf(of: { canFollow: boolean; estimatedRows: number | null }): SourceStream['modes'] {
  if ((of.estimatedRows ?? 0) > DATASET_MAX_ROWS)
    return of.canFollow ? ['live', 'upsert', 'replace'] : ['live', 'replace']
  return of.canFollow ? ['upsert', 'replace', 'live'] : ['replace', 'live']
}

/** Decimals that are kept exactly; numbers with more are floating point. */
export const EXACT_DECIMALS_MAX = 4
