import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconChartBar, IconDots, IconDownload, IconPencil, IconTrash, IconUpload, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { DeleteGrouping } from './delete-grouping'
import type { Editing } from './grouping-editor'
import { ImportDialog } from './import-dialog'
import { RenameDialog } from './rename-dialog'
import { SuggestDrawer } from './suggest-drawer'
import { useMayNow } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/links'
import type { Grouping } from '../../../src/shared/groupings'

type Open = 'suggest' | 'import' | 'rename' | 'delete' | null

export interface GroupingActionsProps extends Editing {
  /** A frozen grouping can still be deleted. */
  mayDelete: boolean
  isChanged: boolean
  onSaved: (saved: Grouping) => void
}

/** What can be done with a grouping as a whole. */
export function GroupingActions(props: GroupingActionsProps) {
  const { grouping, at, may, mayDelete, isChanged, onSaved } = props
  const { workspace } = useSession()
  const mayUse = useMayNow('create:insight')
  const [open, setOpen] = useState<Open>(null)
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
      {open === 'suggest' && <SuggestDrawer {...props} onClose={close} />}
      {open === 'import' && <ImportDialog {...props} onSaved={onSaved} onClose={close} />}
      {open === 'rename' && <RenameDialog {...props} onClose={close} />}
      {open === 'delete' && <DeleteGrouping grouping={grouping} onClose={close} />}
    </>
  )
}
