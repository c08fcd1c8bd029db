import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconChartBar, IconDots, IconDownload, IconPencil, IconTrash, IconUpload, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { DeleteGroupingDialog } from './delete-grouping'
import type { GroupingEditorContext } from './grouping-editor'
import { ImportGroupingDialog } from './import-dialog'
import { RenameGroupingDialog } from './rename-dialog'
import { SuggestedGroupsDrawer } from './suggest-drawer'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/links'
import type { Grouping } from '../../../src/shared/groupings'

type GroupingDialogKind = 'suggest' | 'import' | 'rename' | 'delete' | null

export interface GroupingActionsProps extends GroupingEditorContext {
  /** A frozen grouping can still be deleted. */
  mayDelete: boolean
  isChanged: boolean
  onSaved: (saved: Grouping) => void
}

/** What can be done with a grouping as a whole. */
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
