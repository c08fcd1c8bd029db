import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { countOf } from './amounts'
import { FaultNotice } from './fault-notice'
import classes from './import-preview.module.css'
import { ImportTables } from './import-tables'
import { companyName } from './ledger'
import { LoadFoot } from './load-foot'
import { useCreateSource } from './queries'
import { newTables, tablesFault, totalRows } from './table-facts'
import { sourceName } from './table-names'
import { isChosenByItself } from './table-choice'
import type { OpenedFile } from './upload-queue'
import { useTables } from './use-tables'
import { useFormat } from '../../lib/format'
import { useLaterBooks } from './use-later-books'
import { AddingBooks } from './adding-books'
import { ApiError } from '../../lib/api'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import { nameSchema } from '../../../src/shared/names'

export interface ImportNewProps {
  files: readonly OpenedFile[]
  /** Why nothing can be loaded yet: other files are still on their way. */
  waiting: string | null
  /** The load has begun; the source's own page shows how far it is. */
  onStarted: (sourceId: string) => void
  onPickFile: () => void
  /** The way to other or further files, beside the load. */
  back: ReactNode
}

const TAKEN = 'Another source has this name. Give this one its own.'

/** The last look before files become a source: its name, how each table was read, its first rows. */
export function ImportNew({ files, waiting, onStarted, onPickFile, back }: ImportNewProps) {
  const { tables, active, look } = useTables(files, { isChosen: isChosenByItself })
  const [typed, setName] = useState<string | null>(null)
  const name = typed ?? companyName(tables) ?? sourceName(files.map(({ file }) => file.name))
  const create = useCreateSource()
  const books = useLaterBooks()
  const chosen = tables.filter(({ chosen: is }) => is)
  const several = tables.length > 1
  const taken = create.error instanceof ApiError && create.error.body.code === 'name_taken'
  const nameFault = nameSchema.safeParse(name).error?.issues[0]?.message ?? null
  const first = chosen.filter(({ later }) => !later)
  const inputs = newTables(first)
  const start = () => {
    if (!inputs) return
    // A source of one table needs one name, not two.
    const named = several ? inputs : inputs.map((input) => ({ ...input, name }))
    create.mutate(
      { name, tables: named },
      { onSuccess: ({ id }) => void books.load(id, tables).then(() => onStarted(id)) },
    )
  }
  const unread = !several && active?.found.inspection === null
  const lost = unread && active.found.error !== null
  return (
    <Stack gap="md">
      {!lost && <SourceName name={name} onName={setName} fault={taken ? TAKEN : nameFault} files={files} />}
      {active && <ImportTables {...{ tables, active, onPickFile }} onLook={look} />}
      {create.error && !taken && <FaultNotice error={create.error} onRetry={start} onPickFile={onPickFile} />}
      <AddingBooks file={books.file} />
      {!unread && (
        <LoadFoot
          rows={totalRows(chosen)}
          tables={several ? first.length : null}
          fault={nameFault ?? tablesFault(first, several) ?? waiting}
          busy={create.isPending || books.file !== null}
          waiting={inputs === null || chosen.some(({ found }) => found.reading)}
          onLoad={start}
          back={back}
        />
      )}
    </Stack>
  )
}

interface SourceNameProps {
  name: string
  onName: (name: string) => void
  fault: string | null
  files: readonly OpenedFile[]
}

function SourceName({ name, onName, fault, files }: SourceNameProps) {
  return (
    <Group className={classes.bar} align="flex-end" justify="space-between" gap="md">
      <TextInput
        label="Name of the source"
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
        error={fault ?? undefined}
        maxLength={NAME_MAX_CHARS}
        style={{ flex: '1 1 16rem', maxWidth: 420 }}
      />
      <FileFacts files={files} />
    </Group>
  )
}

function FileFacts({ files }: { files: readonly OpenedFile[] }) {
  const format = useFormat()
  const [first] = files
  const [table] = first?.opened.tables ?? []
  if (files.length !== 1 || !first) return null
  const alone = first.opened.tables.length === 1 && table
  return (
    <Text size="sm" c="dimmed">
      {first.file.name} · {format.bytes(first.file.size)}
      {alone && ` · ${countOf(format, alone.columnCount, 'column')}`}
    </Text>
  )
}
