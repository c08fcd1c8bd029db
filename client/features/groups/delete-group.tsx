import { Alert, Button, Group as Row, List, Modal, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { groupsQuery, useDeleteGroup } from './queries'
import { ApiError } from '../../lib/api'
import { FormError } from '../../ui/form-error'
import type { UserGroupDetail } from '../../../src/shared/groups'

const dependentsSchema = z.array(z.object({ id: z.string(), name: z.string() }))
type Dependents = z.output<typeof dependentsSchema>

/** What still names the group, when that is why the server refused. */
function dependentsOf(error: unknown): Dependents | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  return dependentsSchema.safeParse(error.body['dependents']).data ?? []
}

/** Stands for “no group”; ids never look like it. */
const NO_GROUP = 'none'

export interface DeleteGroupDialogProps {
  group: UserGroupDetail
  onClose: () => void
  onDeleted: () => void
}

/** Asks once; when invitations name the group, names them and asks what takes its place. */
export function DeleteGroupDialog({ group, onClose, onDeleted }: DeleteGroupDialogProps) {
  const [replacement, setReplacement] = useState(NO_GROUP)
  const remove = useDeleteGroup()
  const dependents = dependentsOf(remove.error)
  const [hasDependents, setAsked] = useState(false)
  const { id, name, version } = group
  const submit = () =>
    remove.mutate(
      { id, version, ...(hasDependents ? { replacement } : {}) },
      {
        onSuccess: () => {
          notifications.show({ message: `${name} deleted. It can be restored for 30 days.` })
          onDeleted()
        },
        onError: (error) => setAsked(hasDependents || dependentsOf(error) !== null),
      },
    )
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`}>
      <Stack gap="md">
        <Text size="sm">
          The people stay in the workspace; they only stop being a group. You find it under “Recently deleted” for 30
          days.
        </Text>
        {dependents === null && <FormError error={remove.error} />}
        {hasDependents && <ReplacementField {...{ id, dependents, replacement }} onChange={setReplacement} />}
        <Row justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={submit}>
            Delete group
          </Button>
        </Row>
      </Stack>
    </Modal>
  )
}

interface ReplacementFieldProps {
  id: string
  dependents: Dependents | null
  replacement: string
  onChange: (id: string) => void
}

function ReplacementField({ id, dependents, replacement, onChange }: ReplacementFieldProps) {
  const { data } = useQuery(groupsQuery())
  const others = (data ?? []).filter((other) => other.id !== id)
  return (
    <>
      {dependents !== null && (
        <Alert color="yellow" title="Open invitations name this group" role="alert">
          <List size="sm">
            {dependents.map((each) => (
              <List.Item key={each.id}>{each.name}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Select
        label="What they name instead"
        data={[
          { value: NO_GROUP, label: 'No group' },
          ...others.map((other) => ({ value: other.id, label: other.name })),
        ]}
        value={replacement}
        allowDeselect={false}
        onChange={(value) => onChange(value ?? NO_GROUP)}
      />
    </>
  )
}
