import { canRead, columnsWithin, coveredColumns, isPartial } from '../../identity/access/visible-dataset'
import type { Scope } from '../../identity/scope'
import type { RunSummary } from '../../sync/store'
import type { DatasetRow } from './store'

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
  const visible = <T extends DatasetRow>(row: T): T[] => {
    if (!canRead(rights, row)) return []
    if (!isPartial(rights, row)) return [row]
    const covered = coveredColumns(rights, row.id)
    return [
      {
        ...row,
        columns: columnsWithin(rights, row),
        keyColumns: row.keyColumns.filter((key) => !covered.has(key)),
        ...{ cleaning: [], bytes: 0, rowsRejected: 0, rowsDuplicate: 0 },
      },
    ]
  }
  const visibleRun = (run: RunSummary): RunSummary[] => {
    if (!canRead(rights, { id: run.datasetId, sourceId: run.sourceId })) return []
    return isPartial(rights, { id: run.datasetId }) ? [{ ...run, ...NO_COUNTS }] : [run]
  }
  return { visible, visibleRun }
}
