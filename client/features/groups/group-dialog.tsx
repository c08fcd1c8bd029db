import { Button, Group as Row, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ColorChoice } from './color-choice'
import { checkGroup, GROUP_FIELDS, inputOf, valuesOf } from './group-values'
import type { GroupValues } from './group-values'
import { useCreateGroup, useUpdateGroup } from './queries'
import { RuleFields } from './rule-fields'
import { ApiError } from '../../lib/api'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/form-error'
import type { Group } from '../../../src/shared/groups'

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'name_taken'

/** A new group, or what is said of one that is there. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const form = useForm({ initialValues: valuesOf(group), validate: checkGroup })
  const create = useCreateGroup()
  const update = useUpdateGroup()
  const { error, isPending } = group ? update : create
  const after = {
    onSuccess: (saved: Group) => {
      notifications.show({ color: 'green', message: group ? `${saved.name} saved.` : `${saved.name} made.` })
      onClose()
    },
    onError: (problem: unknown) => {
      if (isTaken(problem)) form.setFieldError('name', 'Another group has this name.')
      else applyFieldErrors(form, problem, GROUP_FIELDS)
    },
  }
  const save = (values: GroupValues) => {
    const input = inputOf(values)
    if (group) update.mutate({ ...input, id: group.id, version: group.version }, after)
    else create.mutate(input, after)
  }
  const shown = isTaken(error) || fieldErrors(error) !== null ? null : error
  return (
    <Modal opened onClose={onClose} title={group ? `Edit ${group.name}` : 'New group'}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap="md">
          <FormError error={shown} />
          <TextInput data-autofocus label="Name" maxLength={80} {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            description="What the group is for. Optional."
            rows={2}
            maxLength={500}
            {...form.getInputProps('description')}
          />
          <ColorChoice value={form.values.color} onChange={(color) => form.setFieldValue('color', color)} />
          <RuleFields form={form} />
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {group ? 'Save group' : 'Make group'}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  )
}
