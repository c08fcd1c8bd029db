import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { formatCountOf } from './amounts'
import { SourceErrorNotice } from './fault-notice'
import classes from './import-preview.module.css'
import { ImportTablesPanel } from './import-tables'
import { soleCompanyName } from './ledger'
import { ImportFooter } from './load-foot'
import { useCreateSource } from './queries'
import { toNewTableInputs, validateTables, totalTableRows } from './table-facts'
import { suggestSourceName } from './table-names'
import { isSelectedByDefault } from './table-choice'
import type { OpenedFile } from './upload-queue'
import { useImportTables } from './use-tables'
import { useFormat } from '../../lib/format'
import { useAdditionalLedgers } from './use-later-books'
import { LedgerImportProgress } from './adding-books'
import { ApiError } from '../../lib/api'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import { nameSchema } from '../../../src/shared/names'

export interface NewSourceImportProps {
  files: readonly OpenedFile[]
  /** Why nothing can be loaded yet: other files are still on their way. */
  waiting: string | null
  /** The load has begun; the source's own page shows how far it is. */
  onStarted: (sourceId: string) => void
  onPickFile: () => void
  /** The way to other or further files, beside the load. */
  back: ReactNode
}

const NAME_TAKEN = 'Another source has this name. Give this one its own.'

/** The last look before files become a source: its name, how each table was read, its first rows. */
export function NewSourceImport({ files, waiting, onStarted, onPickFile, back }: NewSourceImportProps) {
  const { tables, active, look } = useImportTables(files, { isChosen: isSelectedByDefault })
  const [typed, setName] = useState<string | null>(null)
  const name = typed ?? soleCompanyName(tables) ?? suggestSourceName(files.map(({ file }) => file.name))
  const create = useCreateSource()
  const books = useAdditionalLedgers()
  const chosen = tables.filter(({ chosen: is }) => is)
  const several = tables.length > 1
  const taken = create.error instanceof ApiError && create.error.body.code === 'name_taken'
  const nameFault = nameSchema.safeParse(name).error?.issues[0]?.message ?? null
  const first = chosen.filter(({ later }) => !later)
  const inputs = toNewTableInputs(first)
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
      {!lost && <SourceNameBar name={name} onName={setName} fault={taken ? NAME_TAKEN : nameFault} files={files} />}
      {active && <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} />}
      {create.error && !taken && <SourceErrorNotice error={create.error} onRetry={start} onPickFile={onPickFile} />}
      <LedgerImportProgress file={books.file} />
      {!unread && (
        <ImportFooter
          rows={totalTableRows(chosen)}
          tables={several ? first.length : null}
          fault={nameFault ?? validateTables(first, several) ?? waiting}
          busy={create.isPending || books.file !== null}
          waiting={inputs === null || chosen.some(({ found }) => found.reading)}
          onLoad={start}
          back={back}
        />
      )}
    </Stack>
  )
}

interface SourceNameBarProps {
  name: string
  onName: (name: string) => void
  fault: string | null
  files: readonly OpenedFile[]
}

function SourceNameBar({ name, onName, fault, files }: SourceNameBarProps) {
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
      <FileDetails files={files} />
    </Group>
  )
}

function FileDetails({ files }: { files: readonly OpenedFile[] }) {
  const format = useFormat()
  const [first] = files
  const [table] = first?.opened.tables ?? []
  if (files.length !== 1 || !first) return null
  const alone = first.opened.tables.length === 1 && table
  return (
    <Text size="sm" c="dimmed">
      {first.file.name} · {format.bytes(first.file.size)}
      {alone && ` · ${formatCountOf(format, alone.columnCount, 'column')}`}
    </Text>
  )
}
