import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Adding } from './add-data'
import { DeleteSource } from './delete-source'
import { RenameSource } from './rename-source'
import { useMay, useMayNow } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { DataSource } from '../../../src/shared/sources'

export interface SourceActionsProps {
  source: DataSource
  /** A load of the table that is looked at is under way: no further rows for now. */
  loading: boolean
  /** Further data is being added already. */
  adding: boolean
  onAdd: (adding: Adding) => void
}

/** What can be done with a source now; a viewer sees none of it. What is frozen can be renamed and deleted. */
export function SourceActions({ source, loading, adding, onAdd }: SourceActionsProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const mayLoad = useMayNow('edit:source')
  const mayAdd = useMayNow('create:source')
  const close = () => setDialog(null)
  return (
    <>
      {mayLoad && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          disabled={loading || adding}
          onClick={() => onAdd('rows')}
        >
          Add or replace data
        </Button>
      )}
      {mayAdd && (
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={adding}
          onClick={() => onAdd('tables')}
        >
          Add files
        </Button>
      )}
      <MoreMenu name={source.name} onPick={setDialog} />
      {dialog === 'rename' && <RenameSource source={source} onClose={close} />}
      {dialog === 'delete' && <DeleteSource source={source} onClose={close} />}
    </>
  )
}

type Dialog = 'rename' | 'delete'

function MoreMenu({ name, onPick }: { name: string; onPick: (dialog: Dialog) => void }) {
  const mayEdit = useMay('edit:source')
  const mayDelete = useMay('delete:source')
  const writable = useSession().workspace?.entitlements.readOnly === null
  if (!writable || (!mayEdit && !mayDelete)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={`More for ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onPick('rename')}>
            Rename
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item c="var(--bad)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onPick('delete')}>
            Delete source
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
