import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RowsTable } from './rows-table'
import { previewQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSourceStatus } from '../../lib/sources-freshness'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { FreshnessStrip } from '../../ui/freshness-strip'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/sources'

/** The first rows as they lie in the warehouse. */
export function RowsTab({ dataset }: { dataset: Dataset }) {
  const format = useFormat()
  const may = useMay('view:data')
  const filled = dataset.dataVersion > 0
  const preview = useQuery({ ...previewQuery(dataset), enabled: may && filled })
  const sources = useSourceStatus([dataset.id])
  const { data, error, refetch } = preview
  if (!may) return <Text c="dimmed">Your role sees insights, not single rows.</Text>
  if (!filled)
    return <EmptyState picture="sources" title="No rows yet" sentence="They appear here when the first load is done." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={10} />
  const columns = data.columns.length
  const hidden = dataset.columns.filter((column) => !column.hidden).length - columns
  return (
    <Stack gap="xs">
      <FreshnessStrip
        asOf={data.dataAsOf}
        updatedAt={preview.dataUpdatedAt}
        loading={preview.isPlaceholderData}
        failed={error !== null}
        sources={sources}
      />
      <Text size="sm" c="dimmed">
        The first {format.count(data.rows.length)} of {format.count(dataset.rowCount)} rows
        {hidden > 0 && `, ${format.count(columns)} of ${format.count(columns + hidden)} columns`}.
      </Text>
      <RowsTable result={data} />
    </Stack>
  )
}
