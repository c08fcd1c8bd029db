import { FormDialog } from '../../ui/forms/form-dialog'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { Button, Group, Stack, Title, TextInput } from '@mantine/core'
import { IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useMay, useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { DataSource, Dataset, ReopenedFile } from '../../../src/shared/data-sources/data-sources'
import type { ImportTarget } from './import/import-review'
import { UploadPanel } from './upload/upload-panel'
import { SourceErrorNotice } from './source-error-notice'
import { useRenameSource, useDeleteSource } from './queries'
import { ApiError } from '../../lib/api'
import { nameSchema } from '../../../src/shared/field-schemas'
import { DeleteDialog } from '../../ui/forms/confirm-dialog'

export interface SourceActionsProps {
  source: DataSource
  /** The table that is looked at. */
  dataset: Dataset | undefined
  /** A load of the table that is looked at is under way: no further rows for now. */
  loading: boolean
  /** Further data is being added already. */
  adding: boolean
  onAdd: (addDataMode: AddDataMode) => void
}

/** What can be done with a source now; a viewer sees none of it. What is frozen can be renamed and deleted. */
export function SourceActions({ source, dataset, loading, adding, onAdd }: SourceActionsProps) {
  const [dialog, setDialog] = useState<SourceDialog | null>(null)
  const isFiles = source.connection === null
  const mayLoad = useMayWrite('edit:source') && isFiles && dataset !== undefined && !dataset.partial
  const mayAdd = useMayWrite('create:source') && isFiles && isSeenWhole(source)
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
          Import data
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
      <SourceMenu source={source} onPick={setDialog} />
      {dialog === 'rename' && <RenameSourceDialog source={source} onClose={close} />}
      {dialog === 'delete' && <DeleteSourceDialog source={source} onClose={close} />}
    </>
  )
}

/** Whether rules of access leave somebody all of a source's tables, as far as they are there for them. */
const isSeenWhole = ({ datasets }: DataSource): boolean => datasets.every(({ partial }) => !partial)

type SourceDialog = 'rename' | 'delete'

function SourceMenu({ source, onPick }: { source: DataSource; onPick: (dialog: SourceDialog) => void }) {
  const mayEdit = useMay('edit:source')
  const mayDelete = useMay('delete:source') && isSeenWhole(source)
  const writable = useSession().workspace?.entitlements.readOnly === null
  if (!writable) return null
  return (
    <MoreMenu
      inHeader
      label={`More actions for ${source.name}`}
      items={[
        mayEdit && { label: 'Rename', icon: IconPencil, onClick: () => onPick('rename') },
        mayDelete && { label: 'Delete source', icon: IconTrash, c: 'var(--bad)', onClick: () => onPick('delete') },
      ]}
    />
  )
}

/** What a further file is for: rows of the table that is looked at, or tables beside it; or the file of its rows again. */
export type AddDataMode = 'rows' | 'tables' | ReopenedFile

function addDataTitle(adding: AddDataMode, dataset: Dataset, several: boolean): string {
  if (adding === 'tables') return 'Add files'
  const verb = adding === 'rows' ? 'Import data' : 'Import again'
  return several ? `${verb} into ${dataset.name}` : verb
}

export interface AddDataPanelProps {
  source: DataSource
  dataset: Dataset
  adding: AddDataMode
  onClose: () => void
}

/** Another file into this source; its identity, and every insight on it, stays. */
export function AddDataPanel({ source, dataset, adding, onClose }: AddDataPanelProps) {
  const several = source.datasets.length > 1
  const title = addDataTitle(adding, dataset, several)
  const stored = typeof adding === 'string' ? undefined : adding
  const into: ImportTarget = { kind: 'dataset', datasetId: dataset.id, mode: stored ? 'replace' : 'append' }
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2}>{title}</Title>
        <Button variant="subtle" onClick={onClose} style={{ flex: 'none' }}>
          Close
        </Button>
      </Group>
      <UploadPanel
        target={adding === 'tables' ? { kind: 'source', source } : stored ? { ...into, stored } : into}
        onDone={onClose}
      />
    </Stack>
  )
}

function RenameSourceDialog({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const [name, setName] = useState(source.name)
  const rename = useRenameSource()
  const taken = rename.error instanceof ApiError && rename.error.body.code === 'name_taken'
  const fault = nameSchema.safeParse(name).error?.issues[0]?.message
  const save = () => rename.mutate({ id: source.id, name, version: source.version }, { onSuccess: onClose })
  return (
    <FormDialog
      title="Rename source"
      submit="Rename source"
      pending={rename.isPending}
      disabled={fault !== undefined || name.trim() === source.name}
      onSubmit={() => {
        if (fault === undefined) save()
      }}
      onClose={onClose}
    >
      {rename.error && !taken && <SourceErrorNotice error={rename.error} onRetry={save} />}
      <TextInput
        data-autofocus
        label="Name"
        value={name}
        maxLength={80}
        error={taken ? 'Name already in use' : fault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Deletes a source, from which it can come back for a while. */
function DeleteSourceDialog({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteSource()
  const go = (force: boolean) =>
    remove.mutate(
      { id: source.id, version: source.version, force },
      { onSuccess: () => void navigate({ to: '/data-sources' }) },
    )
  return (
    <DeleteDialog
      title={`Delete source “${source.name}”?`}
      deletion={remove}
      dependentsText={{
        title: 'Insights or metrics use this source',
        after: 'They stop working until the source is restored.',
      }}
      errorNotice={remove.error && <SourceErrorNotice error={remove.error} onRetry={() => go(false)} />}
      button={{ first: 'Delete source', again: 'Delete anyway' }}
      onDelete={go}
      onClose={onClose}
    >
      You can restore it from Recently deleted for 30 days.
    </DeleteDialog>
  )
}
