import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { countOf } from './amounts'
import { columnsFault } from './column-edits'
import { FaultNotice } from './fault-notice'
import { nameFromFile } from './format-words'
import classes from './import-preview.module.css'
import { ImportTable } from './import-table'
import { LoadFoot } from './load-foot'
import { useCreateSource } from './queries'
import { useImport } from './use-import'
import { useFormat } from '../../lib/format'
import { ApiError } from '../../lib/api'
import { nameSchema } from '../../../src/shared/names'
import type { Upload } from '../../../src/shared/files'

export interface ImportNewProps {
  upload: Upload
  /** The load has begun; the source's own page shows how far it is. */
  onStarted: (sourceId: string) => void
  onPickFile: () => void
}

/** The last look before a file becomes a source: its name, how it was read, its first rows. */
export function ImportNew({ upload, onStarted, onPickFile }: ImportNewProps) {
  const format = useFormat()
  const found = useImport(upload.id)
  const [name, setName] = useState(() => nameFromFile(upload.fileName))
  const create = useCreateSource()
  const { inspection, columns } = found
  const taken = create.error instanceof ApiError && create.error.body.code === 'name_taken'
  const nameFault = nameSchema.safeParse(name).error?.issues[0]?.message ?? null
  const fault = nameFault ?? columnsFault(columns, found.bad, found.cells.length)
  const start = () => {
    if (!inspection) return
    create.mutate(
      { name, tables: [{ name, uploadId: upload.id, settings: inspection.settings, columns }] },
      { onSuccess: ({ id }) => onStarted(id) },
    )
  }
  return (
    <Stack gap="md">
      {(inspection || !found.error) && (
        <Group className={classes.bar} align="flex-end" justify="space-between" gap="md">
          <TextInput
            label="Name of the source"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={taken ? 'Another source has this name. Give this one its own.' : (nameFault ?? undefined)}
            maxLength={80}
            style={{ flex: '1 1 16rem', maxWidth: 420 }}
          />
          <Text size="sm" c="dimmed">
            {upload.fileName} · {format.bytes(upload.size)}
            {inspection && ` · ${countOf(format, inspection.columns.length, 'column')}`}
          </Text>
        </Group>
      )}
      <ImportTable found={found} fileName={upload.fileName} onPickFile={onPickFile} />
      {create.error && !taken && <FaultNotice error={create.error} onRetry={start} onPickFile={onPickFile} />}
      {inspection && (
        <LoadFoot
          rows={inspection.rows}
          fault={fault}
          busy={create.isPending}
          waiting={found.reading}
          onLoad={start}
          back={
            <Button variant="default" onClick={onPickFile}>
              Another file
            </Button>
          }
        />
      )}
    </Stack>
  )
}
