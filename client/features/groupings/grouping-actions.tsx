import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Group, Modal, Stack, Textarea, TextInput, ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { IconChartBar, IconDots, IconDownload, IconPencil, IconTrash, IconUpload, IconWand } from '@tabler/icons-react'
import { deleteGrouping } from './queries'
import { dependentsOf } from '../../lib/error-details'
import { FormError } from '../../ui/form-error'
import { DeleteDialog } from '../../ui/confirm-dialog'
import type { Grouping } from '../../../src/shared/groupings/groupings'
import { ImportGroupingDialog } from './import-dialog'
import { SuggestedGroupsDrawer } from './suggested-groups-drawer'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/links'
import type { GroupingEditorContext } from './grouping-draft'

export function DeleteGroupingDialog({ grouping, onClose }: { grouping: Grouping; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: (force: boolean) => deleteGrouping({ id: grouping.id, version: grouping.version, force }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
      void navigate({ to: '/data-grouping' })
    },
  })
  const dependents = dependentsOf(removing.error)
  return (
    <DeleteDialog
      title={`Delete ${grouping.name}?`}
      dependents={dependents}
      dependentsText={{ title: 'These look at figures by it', after: 'They show no figures until they are changed.' }}
      errorNotice={removing.error ? <FormError error={removing.error} /> : null}
      button={{ first: 'Delete grouping', again: 'Delete all the same' }}
      pending={removing.isPending}
      onDelete={() => removing.mutate(dependents !== null)}
      onClose={onClose}
    >
      The rows stay as they are. It can be brought back for 30 days.
    </DeleteDialog>
  )
}

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

type GroupingDialogKind = 'suggest' | 'import' | 'rename' | 'delete' | null

export interface GroupingActionsProps extends GroupingEditorContext {
  /** A frozen grouping can still be deleted. */
  mayDelete: boolean
  isChanged: boolean
  onSaved: (saved: Grouping) => void
}

export function GroupingActions(props: GroupingActionsProps) {
  const { grouping, at, may, mayDelete, isChanged, onSaved } = props
  const { workspace } = useSession()
  const mayUse = useMayWrite('create:insight')
  const [open, setOpen] = useState<GroupingDialogKind>(null)
  const close = (): void => setOpen(null)
  const exported = `/files/groupings/${grouping.id}/export?era=${at}&w=${workspace?.id ?? ''}`
  return (
    <>
      {mayUse && (
        <LinkButton
          variant="default"
          to="/insights/new"
          search={{ grouping: grouping.id }}
          leftSection={<IconChartBar size={16} aria-hidden />}
        >
          Use in a new insight
        </LinkButton>
      )}
      {may && (
        <Button variant="default" leftSection={<IconWand size={16} aria-hidden />} onClick={() => setOpen('suggest')}>
          Suggest groups
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More about this grouping">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={exported} leftSection={<IconDownload size={16} aria-hidden />}>
            Download as CSV
          </Menu.Item>
          {may && (
            <>
              <Menu.Item
                leftSection={<IconUpload size={16} aria-hidden />}
                disabled={isChanged}
                onClick={() => setOpen('import')}
              >
                {isChanged ? 'Read a CSV (save first)' : 'Read a CSV'}
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('rename')}>
                Rename
              </Menu.Item>
            </>
          )}
          {mayDelete && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setOpen('delete')}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'suggest' && <SuggestedGroupsDrawer {...props} onClose={close} />}
      {open === 'import' && <ImportGroupingDialog {...props} onSaved={onSaved} onClose={close} />}
      {open === 'rename' && <RenameGroupingDialog {...props} onClose={close} />}
      {open === 'delete' && <DeleteGroupingDialog grouping={grouping} onClose={close} />}
    </>
  )
}
