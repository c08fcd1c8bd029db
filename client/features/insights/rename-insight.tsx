import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Insight } from '../../../src/shared/insights'
import { fieldErrors, FormError } from '../../ui/form-error'
import { InsightConflictDialog } from './insight-conflict'
import { useSaveInsight } from './use-saving'

/** Name and description of an insight. */
export function RenameInsightDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const [name, setName] = useState(insight.name)
  const [description, setDescription] = useState(insight.description)
  const saving = useSaveInsight(insight, onClose)
  const fields = fieldErrors(saving.error) ?? {}
  const { plan, viz } = insight
  return (
    <>
      <Modal opened onClose={onClose} title="Rename and describe">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            saving.save({ name, description, plan, viz })
          }}
        >
          <Stack>
            <TextInput
              label="Name"
              value={name}
              maxLength={80}
              error={fields['name']}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Textarea
              label="Description"
              value={description}
              maxLength={500}
              autosize
              minRows={2}
              error={fields['description']}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
            {Object.keys(fields).length === 0 && <FormError error={saving.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={saving.saving} disabled={name.trim() === ''}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <InsightConflictDialog saving={saving} dataset={null} />
    </>
  )
}
