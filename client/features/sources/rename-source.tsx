import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SourceErrorNotice } from './fault-notice'
import { useRenameSource } from './queries'
import { ApiError } from '../../lib/api'
import { nameSchema } from '../../../src/shared/names'
import type { DataSource } from '../../../src/shared/sources'

export function RenameSourceDialog({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const [name, setName] = useState(source.name)
  const rename = useRenameSource()
  const taken = rename.error instanceof ApiError && rename.error.body.code === 'name_taken'
  const fault = nameSchema.safeParse(name).error?.issues[0]?.message
  const save = () => rename.mutate({ id: source.id, name, version: source.version }, { onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title="Rename source">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (fault === undefined) save()
        }}
      >
        <Stack gap="md">
          {rename.error && !taken && <SourceErrorNotice error={rename.error} onRetry={save} />}
          <TextInput
            data-autofocus
            label="Name"
            value={name}
            maxLength={80}
            error={taken ? 'Another source has this name.' : fault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={rename.isPending}
              disabled={fault !== undefined || name.trim() === source.name}
            >
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
