import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useSaveRetainedItems } from './queries'
import { RetainedItemPickers } from '../../lib/freeze-pickers'
import { toRetainInput, currentlyRetained } from '../../lib/freezes'
import type { RetainedChoice } from '../../lib/freezes'
import { FormError } from '../../ui/form-error'
import type { OverLimitSummary } from '../../../src/shared/subscription'

/** Chooses what stays when the plan has room for some only. */
export function RetainedItemsDialog({ freezes, onClose }: { freezes: OverLimitSummary; onClose: () => void }) {
  const [choice, setChoice] = useState<RetainedChoice>(() => currentlyRetained(freezes))
  const saveRetained = useSaveRetainedItems()
  const save = () =>
    saveRetained.mutate(toRetainInput(choice, freezes), {
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
        <RetainedItemPickers freezes={freezes} choice={choice} onChange={setChoice} />
        <FormError error={saveRetained.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave as it is
          </Button>
          <Button loading={saveRetained.isPending} onClick={save}>
            Save choice
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
