import { FormDialog } from '../../ui/forms/form-dialog'
import { MoreMenuEntry, MoreMenuFrame } from '../../ui/buttons/more-menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Textarea, TextInput, Menu } from '@mantine/core'
import { useState } from 'react'
import { IconChartBar, IconDownload, IconPencil, IconTrash, IconUpload, IconWand } from '@tabler/icons-react'
import { deleteGrouping } from './queries'
import { DeleteDialog } from '../../ui/forms/confirm-dialog'
import type { Grouping } from '../../../src/shared/groupings/groupings'
import { ImportGroupingDialog } from './import-dialog'
import { SuggestedGroupsDrawer } from './suggested-groups-drawer'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/buttons/links'
import type { GroupingEditorContext } from './grouping-draft'

function DeleteGroupingDialog({ grouping, onClose }: { grouping: Grouping; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: (force: boolean) => deleteGrouping({ id: grouping.id, version: grouping.version, force }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
      void navigate({ to: '/data-grouping' })
    },
  })
  return (
    <DeleteDialog
      title="Delete grouping?"
      deletion={removing}
      dependentsText={{ title: 'Used by', after: 'They show no figures until changed.' }}
      button={{ first: 'Delete grouping', again: 'Delete anyway' }}
      onDelete={removing.mutate}
      onClose={onClose}
    >
      Deletes “{grouping.name}”. Your data isn’t affected. You can restore it for 30 days.
    </DeleteDialog>
  )
}

/** Name and description; a step like any other, stored with the rest. */
function RenameGroupingDialog({ draft, act, onClose }: GroupingEditorContext & { onClose: () => void }) {
  const [name, setName] = useState(draft.name)
  const [description, setDescription] = useState(draft.description)
  return (
    <FormDialog
      title="Rename grouping"
      submit="Rename grouping"
      disabled={name.trim() === ''}
      onSubmit={() => {
        act({ kind: 'rename', name: name.trim(), description: description.trim() })
        onClose()
      }}
      onClose={onClose}
    >
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
    </FormDialog>
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
          Create insight
        </LinkButton>
      )}
      {may && (
        <Button variant="default" leftSection={<IconWand size={16} aria-hidden />} onClick={() => setOpen('suggest')}>
          Suggest groups
        </Button>
      )}
      <MoreMenuFrame inHeader label="Grouping actions">
        <Menu.Item component="a" href={exported} leftSection={<IconDownload size={16} aria-hidden />}>
          Export CSV
        </Menu.Item>
        {may && (
          <>
            <MoreMenuEntry
              label={isChanged ? 'Import CSV (save first)' : 'Import CSV'}
              icon={IconUpload}
              disabled={isChanged}
              onClick={() => setOpen('import')}
            />
            <MoreMenuEntry label="Rename" icon={IconPencil} onClick={() => setOpen('rename')} />
          </>
        )}
        {mayDelete && (
          <MoreMenuEntry label="Delete grouping" icon={IconTrash} color="red" onClick={() => setOpen('delete')} />
        )}
      </MoreMenuFrame>
      {open === 'suggest' && <SuggestedGroupsDrawer {...props} onClose={close} />}
      {open === 'import' && <ImportGroupingDialog {...props} onSaved={onSaved} onClose={close} />}
      {open === 'rename' && <RenameGroupingDialog {...props} onClose={close} />}
      {open === 'delete' && <DeleteGroupingDialog grouping={grouping} onClose={close} />}
    </>
  )
}
