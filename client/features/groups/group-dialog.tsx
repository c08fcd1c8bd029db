import { Button, Group as Row, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ColorPicker } from './color-choice'
import { validateGroup, GROUP_FIELDS, toGroupInput, toGroupValues } from './group-values'
import type { GroupFormValues } from './group-values'
import { useCreateGroup, useUpdateGroup } from './queries'
import { AutoRuleFields } from './rule-fields'
import { ApiError } from '../../lib/api'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/form-error'
import type { UserGroup } from '../../../src/shared/groups'

const isNameTaken = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'name_taken'

/** A new group, or what is said of one that is there. */
export function GroupDialog({ group, onClose }: { group: UserGroup | null; onClose: () => void }) {
  const form = useForm({ initialValues: toGroupValues(group), validate: validateGroup })
  const create = useCreateGroup()
  const update = useUpdateGroup()
  const { error, isPending } = group ? update : create
  const after = {
    onSuccess: (saved: UserGroup) => {
      notifications.show({ color: 'green', message: group ? `${saved.name} saved.` : `${saved.name} made.` })
      onClose()
    },
    onError: (problem: unknown) => {
      if (isNameTaken(problem)) form.setFieldError('name', 'Another group has this name.')
      else applyFieldErrors(form, problem, GROUP_FIELDS)
    },
  }
  const save = (values: GroupFormValues) => {
    const input = toGroupInput(values)
    if (group) update.mutate({ ...input, id: group.id, version: group.version }, after)
    else create.mutate(input, after)
  }
  const visibleError = isNameTaken(error) || fieldErrors(error) !== null ? null : error
  return (
    <Modal opened onClose={onClose} title={group ? `Edit ${group.name}` : 'New group'}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap="md">
          <FormError error={visibleError} />
          <TextInput data-autofocus label="Name" maxLength={80} {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            description="What the group is for. Optional."
            rows={2}
            maxLength={500}
            {...form.getInputProps('description')}
          />
          <ColorPicker value={form.values.color} onChange={(color) => form.setFieldValue('color', color)} />
          <AutoRuleFields form={form} />
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
