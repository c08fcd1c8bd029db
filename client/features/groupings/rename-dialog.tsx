import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { GroupingEditorContext } from './grouping-editor'

/** Name and description; a step like any other, stored with the rest. */
export function RenameGroupingDialog({ draft, act, onClose }: GroupingEditorContext & { onClose: () => void }) {
  const [name, setName] = useState(draft.name)
  const [description, setDescription] = useState(draft.description)
  return (
    <Modal opened onClose={onClose} title="Rename grouping">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          act({ kind: 'rename', name: name.trim(), description: description.trim() })
          onClose()
        }}
      >
        <Stack gap="md">
          <TextInput
            data-autofocus
            label="Name"
            maxLength={80}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            maxLength={500}
            autosize
            minRows={2}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={name.trim() === ''}>
              Take over
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
