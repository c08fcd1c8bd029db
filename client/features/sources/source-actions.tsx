import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { AddDataMode } from './add-data'
import { DeleteSourceDialog } from './delete-source'
import { RenameSourceDialog } from './rename-source'
import { useMay, useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { DataSource } from '../../../src/shared/sources'

export interface SourceActionsProps {
  source: DataSource
  /** A load of the table that is looked at is under way: no further rows for now. */
  loading: boolean
  /** Further data is being added already. */
  adding: boolean
  onAdd: (addDataMode: AddDataMode) => void
}

/** What can be done with a source now; a viewer sees none of it. What is frozen can be renamed and deleted. */
export function SourceActions({ source, loading, adding, onAdd }: SourceActionsProps) {
  const [dialog, setDialog] = useState<SourceDialog | null>(null)
  const mayLoad = useMayWrite('edit:source')
  const mayAdd = useMayWrite('create:source')
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
      <SourceMenu name={source.name} onPick={setDialog} />
      {dialog === 'rename' && <RenameSourceDialog source={source} onClose={close} />}
      {dialog === 'delete' && <DeleteSourceDialog source={source} onClose={close} />}
    </>
  )
}

type SourceDialog = 'rename' | 'delete'

function SourceMenu({ name, onPick }: { name: string; onPick: (sourceDialog: SourceDialog) => void }) {
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
