import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { KIND_WORDS } from './freeze-words'
import { choiceOf, KEEP_KINDS, keepInputOf, listOf } from './keep-values'
import type { KeepChoice, KeepKind } from './keep-values'
import { useKeep } from './queries'
import { useFormat } from '../../lib/format'
import { FormError } from '../../ui/form-error'
import { KeepPicker } from '../../ui/keep-picker'
import type { Freezes } from '../../../src/shared/subscription'

/** Chooses what stays when the plan has room for some only. */
export function KeepDialog({ freezes, onClose }: { freezes: Freezes; onClose: () => void }) {
  const [choice, setChoice] = useState<KeepChoice>(() => choiceOf(freezes))
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
          What is not chosen is paused, not deleted, and comes back when there is room. Without a choice the oldest
          stay.
        </Text>
        {KEEP_KINDS.map((kind) => (
          <Picker key={kind} kind={kind} freezes={freezes} choice={choice} onChange={setChoice} />
        ))}
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

interface PickerProps {
  kind: KeepKind
  freezes: Freezes
  choice: KeepChoice
  onChange: (choice: KeepChoice) => void
}

function Picker({ kind, freezes, choice, onChange }: PickerProps) {
  const format = useFormat()
  const list = listOf(kind, freezes, choice)
  if (!list) return null
  const { title, fate } = KIND_WORDS[kind]
  return (
    <KeepPicker
      title={title}
      sentence={`The plan has room for ${list.max}. The others: ${fate.charAt(0).toLowerCase()}${fate.slice(1)}`}
      max={list.max}
      items={list.items.map(({ id, name, createdAt }) => ({ id, name, note: `since ${format.day(createdAt)}` }))}
      value={choice[kind]}
      onChange={(ids) => onChange({ ...choice, [kind]: ids })}
    />
  )
}
