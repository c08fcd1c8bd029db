import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { StepList } from './step-list'
import { cleaningQuery, useReopenFile } from '../queries'
import { SourceErrorNotice } from '../source-error-notice'
import { useMayWrite } from '../../../lib/gate'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { TableSkeleton } from '../../../ui/skeletons'
import type { Dataset, DatasetCleaning, ReopenedFile } from '../../../../src/shared/data-sources/data-sources'

export interface CleaningTabProps {
  dataset: Dataset
  /** Its rows are of the sample company, which takes no imports. */
  sample: boolean
  /** A load of it is under way. */
  loading: boolean
  /** Opens the review of the stored file. */
  onReopened: (file: ReopenedFile) => void
}

/** What the rows of a table went through, and the way to change it. */
export function CleaningTab(props: CleaningTabProps) {
  const { dataset } = props
  const { data, error, refetch } = useQuery({ ...cleaningQuery(dataset), enabled: dataset.dataVersion > 0 })
  if (dataset.dataVersion === 0)
    return <EmptyState picture="sources" title="No rows yet" sentence="Add cleaning steps when you import a file." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  if (data.ledger && data.steps.length === 0)
    return <EmptyState title="Ledgers aren’t cleaned" sentence="Statements rely on their columns." />
  return <LoadedCleaning {...props} cleaning={data} />
}

function LoadedCleaning({
  dataset,
  sample,
  loading,
  cleaning,
  onReopened,
}: CleaningTabProps & { cleaning: DatasetCleaning }) {
  const may = useMayWrite('edit:source') && !sample
  const reopen = useReopenFile()
  const { steps, effects, file } = cleaning
  const verb = steps.length === 0 ? 'Add steps' : 'Edit steps'
  const button = may && file && (
    <Button
      variant="default"
      loading={reopen.isPending}
      disabled={loading}
      onClick={() => reopen.mutate(dataset.id, { onSuccess: onReopened })}
    >
      {verb}
    </Button>
  )
  return (
    <Stack gap="md">
      {reopen.error && <SourceErrorNotice error={reopen.error} />}
      {steps.length === 0 ? (
        <EmptyState
          title="No cleaning steps"
          sentence="Trim, split, fill down, unpivot: kept and applied to each import."
          {...(button ? { action: button } : {})}
        />
      ) : (
        <>
          <Group justify="space-between" gap="sm">
            <Text size="sm" c="dimmed">
              Applied to each import, in this order.
            </Text>
            {button}
          </Group>
          <StepList steps={steps} effects={effects} problem={null} />
        </>
      )}
      {may && !file && (
        <Text size="sm" c="dimmed">
          Steps can be changed at the next import: the rows came from several files, or their file is no longer stored.
        </Text>
      )}
    </Stack>
  )
}
