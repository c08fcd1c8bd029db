import { Anchor, Text } from '@mantine/core'
import { useFormat } from '../../../lib/format'
import { formatRowCount } from '../../../../src/shared/figures/formatter'
import { describeDataIssues } from '../../../lib/queries/data-issues'
import { ImportsLink } from '../../../ui/buttons/imports-link'
import { LinkAnchor } from '../../../ui/buttons/links'
import type { Dataset, SyncRun } from '../../../../src/shared/data-sources/data-sources'
import { rejectedRowsUrl } from '../queries'

/** Whether the rows shown now are not all that their files hold, or some are in twice. */
export const hasDataIssues = ({ rowsRejected, rowsDuplicate }: Pick<Dataset, 'rowsRejected' | 'rowsDuplicate'>) =>
  rowsRejected > 0 || rowsDuplicate > 0

/** What of a load's file is not in the data, or is in it twice, each with its reason and the way to the rows. */
export function ImportIssues({ run }: { run: SyncRun }) {
  const format = useFormat()
  return (
    <>
      {run.rowsRejected > 0 && (
        <Text size="sm" c="var(--mantine-color-text)">
          {formatRowCount(format, run.rowsRejected)} rejected: values couldn’t be read.{' '}
          <Anchor href={rejectedRowsUrl(run.id)} download inherit underline="always">
            Download rejected rows
          </Anchor>
        </Text>
      )}
      {run.mode === 'append' && run.rowsDuplicate > 0 && (
        <Text size="sm" c="var(--mantine-color-text)">
          {formatRowCount(format, run.rowsDuplicate)} duplicated: their key already existed.{' '}
          <VersionsLink sourceId={run.sourceId} datasetId={run.datasetId} />
        </Text>
      )}
      {run.mode === 'upsert' && run.rowsDuplicate > 0 && (
        <Text size="sm">
          {formatRowCount(format, run.rowsDuplicate)} skipped: a later row of the file has the same key.
        </Text>
      )}
    </>
  )
}

const VersionsLink = ({ sourceId, datasetId }: { sourceId: string; datasetId: string }) => (
  <LinkAnchor
    to="/data-sources/$id"
    params={{ id: sourceId }}
    search={{ dataset: datasetId, tab: 'versions' }}
    size="sm"
  >
    Restore an earlier version
  </LinkAnchor>
)

/** What the rows shown now lack or hold twice from loads before this one. */
export function DataIssues({ dataset, run }: { dataset: Dataset; run: SyncRun }) {
  const format = useFormat()
  const own = run.state === 'succeeded' && run.trigger !== 'rollback'
  const rejected = dataset.rowsRejected - (own ? run.rowsRejected : 0)
  const doubled = dataset.rowsDuplicate - (own && run.mode === 'append' ? run.rowsDuplicate : 0)
  if (rejected <= 0 && doubled <= 0) return null
  return (
    <Text size="sm">
      Earlier imports: {describeDataIssues({ rowsRejected: rejected, rowsDuplicate: doubled }, format)}.{' '}
      <ImportsLink dataset={dataset} />
    </Text>
  )
}
