import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useKeep } from './queries'
import { FreezePickers } from '../../lib/freeze-pickers'
import { keepInputOf, stayingOf } from '../../lib/freezes'
import type { KeepChoice } from '../../lib/freezes'
import { FormError } from '../../ui/form-error'
import type { Freezes } from '../../../src/shared/subscription'

/** Chooses what stays when the plan has room for some only. */
export function KeepDialog({ freezes, onClose }: { freezes: Freezes; onClose: () => void }) {
  const [choice, setChoice] = useState<KeepChoice>(() => stayingOf(freezes))
  const keep = useKeep()
  const save = () =>
    keep.mutate(keepInputOf(choice, freezes), {
      onSuccess: () => {
        notifications.show({ color: 'green', message: 'What stays is saved.' })
        onClose()
      },
    })
  return (
    <Modal opened onClose={onClose} title="Choose what stays" size="lg">
      <Stack gap="lg">
        <Text size="sm">
          What is not chosen is frozen, not deleted, and comes back when there is room. Without a choice the oldest
          stay.
        </Text>
        <FreezePickers freezes={freezes} choice={choice} onChange={setChoice} />
        <FormError error={keep.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave as it is
          </Button>
          <Button loading={keep.isPending} onClick={save}>
            Save choice
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
