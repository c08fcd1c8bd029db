import { canRead, columnsWithin, coveredColumns, isPartial } from '../../identity/access/visible-dataset'
import type { Scope } from '../../scope'
import type { RunSummary } from '../../sync/store'
import type { CleaningStep } from '../../shared/data-sources/cleaning'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What of a stored dataset rules may take away. */
interface StoredParts {
  id: string
  sourceId: string
  columns: Column[]
  keyColumns: ColumnKey[]
  cleaning: CleaningStep[]
  bytes: number
  rowsRejected: number
  rowsDuplicate: number
}

/** Condition on a source `s`: it exists for who asks. `parameter` names {@link hiddenJson}. */
export const visibleSourceSql = (parameter: string): string =>
  `s.id NOT IN (SELECT value FROM json_each(${parameter}, '$.sources')) AND (
     NOT EXISTS (SELECT 1 FROM datasets own WHERE own.source_id = s.id) OR EXISTS (SELECT 1 FROM datasets own
       WHERE own.source_id = s.id AND own.id NOT IN (SELECT value FROM json_each(${parameter}, '$.datasets'))))`
export const hiddenJson = (scope: Scope): string => {
  const { hiddenSources: sources, hiddenDatasets: datasets } = scope.wire()
  return JSON.stringify({ sources, datasets })
}

const NO_COUNTS = {
  rowsRead: 0,
  rowsWritten: 0,
  rowsRejected: 0,
  rowsDuplicate: 0,
  rowsUpdated: 0,
  bytesRead: 0,
  bytesTotal: 0,
}

/** What of stored datasets and their loads exists for who asks. */
export function visibleParts(scope: Scope) {
  const rights = scope.wire()
  /** As it exists for who asks. Of what they see in part, files and loads tell more than they may know. */
  const visible = <T extends StoredParts>(row: T): T[] => {
    if (!canRead(rights, row)) return []
    if (!isPartial(rights, row)) return [row]
    const covered = coveredColumns(rights, row.id)
    return [
      {
        ...row,
        columns: columnsWithin(rights, row),
        keyColumns: row.keyColumns.filter((key) => !covered.has(key)),
        ...{ cleaning: [], bytes: 0, rowsRejected: 0, rowsDuplicate: 0, partial: true as const },
      },
    ]
  }
  const visibleRun = (run: RunSummary): RunSummary[] => {
    if (!canRead(rights, { id: run.datasetId, sourceId: run.sourceId })) return []
    if (!isPartial(rights, { id: run.datasetId })) return [run]
    // Of one that went well there is nothing to tell but its rows.
    return run.state === 'succeeded' ? [] : [{ ...run, ...NO_COUNTS }]
  }
  return { visible, visibleRun }
}
