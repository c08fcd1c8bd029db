import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { streamsQuery, useUpdateConnection } from './queries'
import { StreamChoices, type ChosenStream } from './stream-choices'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import type { ConnectionDetails } from '../../../src/shared/data-sources/connections'

interface StreamsDialogProps {
  connection: ConnectionDetails
  onClose: () => void
}

/** What of a source is read, chosen again from what it offers now; it is read as soon as somebody may ask for a sync. */
export function StreamsDialog({ connection, onClose }: StreamsDialogProps) {
  const { sourceId, streams } = connection
  const offered = useQuery(streamsQuery(sourceId))
  const [chosen, setChosen] = useState<ChosenStream[]>(() => streams.map(({ key, mode }) => ({ key, mode })))
  const update = useUpdateConnection(sourceId)
  const known = offered.data ?? []
  const gone = streams.filter(({ key }) => offered.data && !known.some((each) => each.key === key))
  const kept = chosen.filter(({ key }) => known.some((each) => each.key === key))
  return (
    <FormDialog
      title="Choose what to import"
      submit="Save selection"
      pending={update.isPending}
      disabled={kept.length === 0}
      onSubmit={() => update.mutate({ streams: kept }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Stack gap="md">
        <FormError error={update.error} />
        <QueryView query={offered} skeleton={<TableSkeleton count={4} />}>
          {(found) => <StreamChoices streams={found} chosen={kept} onChange={setChosen} />}
        </QueryView>
        {gone.length > 0 && (
          <Text size="sm" c="dimmed">
            No longer at the source: {gone.map(({ label }) => label).join(', ')}. Imported rows stay.
          </Text>
        )}
      </Stack>
    </FormDialog>
  )
}
