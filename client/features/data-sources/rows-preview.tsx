import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSourceStatus } from '../../lib/queries/data-source-queries'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { PagedTable, pageQuery } from '../../ui/data-table/paged-table'
import { FreshnessStrip } from '../../ui/freshness'
import { MutedText } from '../../ui/muted-text'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import type { QueryPlan } from '../../../src/shared/query/plan'

/** Every row, in the order of loading. */
const rowsPlan = (dataset: string): QueryPlan => ({
  ...{ v: 2, kind: 'rows', dataset, measures: [], dimensions: [], filters: [] },
})

/** The rows as they lie in the warehouse. */
export function RowsTab({ dataset, isAgeShown }: { dataset: Dataset; isAgeShown: boolean }) {
  const format = useFormat()
  const may = useMay('view:data')
  const filled = dataset.dataVersion > 0
  const cells = useCellFormatter()
  const plan = rowsPlan(dataset.id)
  const preview = useQuery({ ...pageQuery(plan, 0), enabled: may && filled })
  const sources = useSourceStatus([dataset.id])
  const { data, error, refetch } = preview
  if (!may) return <Text c="dimmed">Your role can view insights, not rows.</Text>
  if (!filled)
    return <EmptyState picture="sources" title="No rows yet" sentence="Rows appear after the first import." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={10} />
  const columns = data.columns.length
  const hidden = dataset.columns.filter((column) => !column.hidden).length - columns
  return (
    <Stack gap="xs">
      <FreshnessStrip
        asOf={data.dataAsOf}
        loading={preview.isRefetching}
        failed={error !== null}
        sources={sources}
        restricted={data.restricted}
        isAgeShown={isAgeShown}
      />
      {hidden > 0 && (
        <MutedText>
          Showing {format.count(columns)} of {format.count(columns + hidden)} columns
        </MutedText>
      )}
      <PagedTable plan={plan} first={data} format={cells} caption={`Rows of ${dataset.name}`} name={dataset.name} />
    </Stack>
  )
}
