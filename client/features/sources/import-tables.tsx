import { Button, Checkbox, Collapse, FileButton, Group, Stack, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { FILE_ACCEPT } from './file-kinds'
import classes from './import-preview.module.css'
import { ImportTable as TableView } from './import-table'
import { LedgerSummary } from './ledger-summary'
import { isUnbalanced, ledgersOf } from './ledger'
import { warningsOf } from './table-facts'
import { WarningsList } from './warnings-list'
import { TableList } from './table-list'
import list from './table-list.module.css'
import type { ImportTable } from './use-tables'
import type { FileWarning } from '../../../src/shared/files'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'

export interface ImportTablesProps {
  tables: readonly ImportTable[]
  active: ImportTable
  onLook: (id: string) => void
  onPickFile: () => void
  pick?: 'many' | 'one'
  /** A single table has a name of its own, beside that of the source. */
  named?: boolean
}

/** What was found in the files: the ledger in words, or the tables with the one that is looked at. */
export function ImportTables(props: ImportTablesProps) {
  const ledgers = ledgersOf(props.tables)
  const [open, setOpen] = useState(false)
  const notes = warningsOf(props.tables).filter((note) => !isUnbalanced(note))
  if (props.tables.length === 1 && ledgers.length === 0) return <TablesWithView {...props} notes={notes} />
  if (ledgers.length === 0 || props.pick === 'one')
    return (
      <>
        <WarningsList warnings={notes} />
        <TablesWithView {...props} />
      </>
    )
  const onlyLedger = props.tables.every(({ table }) => table.ledger !== undefined)
  const Sign = open ? IconChevronDown : IconChevronRight
  return (
    <Stack gap="md">
      {ledgers.map((ledger) => (
        <LedgerSummary key={ledger.fileName} ledger={ledger} />
      ))}
      <WarningsList warnings={notes} />
      {onlyLedger ? (
        <>
          <Group>
            <Button
              variant="subtle"
              leftSection={<Sign size={16} aria-hidden />}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {open ? 'Hide the tables' : 'Look at its tables'}
            </Button>
          </Group>
          <Collapse expanded={open}>{open && <TablesWithView {...props} />}</Collapse>
        </>
      ) : (
        <TablesWithView {...props} />
      )}
    </Stack>
  )
}

function TablesWithView(props: ImportTablesProps & { notes?: FileWarning[] }) {
  const { tables, active, onLook, onPickFile, pick = 'many', named = false, notes = [] } = props
  const several = tables.length > 1
  return (
    <div className={list.layout} data-several={several || undefined}>
      {several && <TableList {...{ tables, active, onLook, pick }} />}
      <Stack gap="md" style={{ minWidth: 0 }}>
        {(several || named) && pick === 'many' && <TableHead one={active} several={several} />}
        <TableView key={active.id} one={active} notes={notes} onPickFile={onPickFile} />
      </Stack>
    </div>
  )
}

function TableHead({ one, several }: { one: ImportTable; several: boolean }) {
  return (
    <Group className={classes.bar} align="flex-end" gap="md">
      <TextInput
        label="Name of the table"
        value={one.name}
        onChange={(event) => one.rename(event.currentTarget.value)}
        maxLength={NAME_MAX_CHARS}
        style={{ flex: '1 1 14rem', maxWidth: 420 }}
      />
      {several && (
        <Checkbox
          label="Load this table"
          checked={one.chosen}
          onChange={(event) => one.choose(event.currentTarget.checked)}
          mb={8}
        />
      )}
    </Group>
  )
}

/** More files into the same drop. */
export function AddFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <FileButton onChange={onFiles} multiple accept={FILE_ACCEPT} inputProps={{ 'aria-label': 'More data files' }}>
      {(props) => (
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} {...props}>
          Add files
        </Button>
      )}
    </FileButton>
  )
}
