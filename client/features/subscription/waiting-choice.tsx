import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RetainedItemsDialog } from './keep-dialog'
import { scheduledChangeQuery } from './queries'
import { overLimitByKind } from '../../lib/freezes'
import { ErrorState } from '../../ui/error-state'
import type { PlanChoice } from '../../../src/shared/subscription'

/** Chooses beforehand what stays when a smaller plan begins. */
export function ScheduledRetention({ scheduled, version }: { scheduled: PlanChoice; version: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Choose what stays
      </Button>
      {open && <ScheduledRetentionDialog scheduled={scheduled} version={version} onClose={() => setOpen(false)} />}
    </>
  )
}

function ScheduledRetentionDialog(props: { scheduled: PlanChoice; version: number; onClose: () => void }) {
  const { scheduled, version, onClose } = props
  const { data, error, refetch } = useQuery(scheduledChangeQuery(scheduled, version))
  if (data?.freezes && overLimitByKind(data.freezes).length > 0)
    return <RetainedItemsDialog freezes={data.freezes} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title="Choose what stays" size="lg">
      {data ? (
        <Stack gap="md">
          <Text size="sm">
            The plan that begins then has room for everything that is here now. There is nothing to choose.
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={120} />
      )}
    </Modal>
  )
}
