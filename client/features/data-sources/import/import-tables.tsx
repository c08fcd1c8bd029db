import { Button, Checkbox, Collapse, FileButton, Group, Stack, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { FILE_ACCEPT } from '../upload/file-kinds'
import classes from '../preview-grid.module.css'
import { TablePreview as TableView } from './table-preview'
import { WarningsList } from './warnings-list'
import { LedgerSummary, isBalanceWarning, toLedgerFiles } from './ledger-summary'
import { fileWarningsOf } from './import-request'
import { ImportTableList } from './import-table-list'
import list from '../table-list.module.css'
import type { ImportTable } from './use-import-tables'
import type { FileWarning } from '../../../../src/shared/data-sources/files'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'

export interface ImportTablesPanelProps {
  tables: readonly ImportTable[]
  active: ImportTable
  onSelect: (id: string) => void
  onPickFile: () => void
  pick?: 'many' | 'one'
  /** A single table has a name of its own, beside that of the source. */
  named?: boolean
}

/** What was found in the files: the ledger in words, or the tables with the one that is looked at. */
export function ImportTablesPanel(props: ImportTablesPanelProps) {
  const ledgers = toLedgerFiles(props.tables)
  const [open, setOpen] = useState(false)
  const notes = fileWarningsOf(props.tables).filter((note) => !isBalanceWarning(note))
  if (props.tables.length === 1 && ledgers.length === 0) return <TablesLayout {...props} notes={notes} />
  if (ledgers.length === 0 || props.pick === 'one')
    return (
      <>
        <WarningsList warnings={notes} />
        <TablesLayout {...props} />
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
          {/* Below books that are still being read it would be pushed down by each of their lines. */}
          {(open || !ledgers.some(({ reading }) => reading)) && (
            <Group>
              <Button
                variant="subtle"
                leftSection={<Sign size={16} aria-hidden />}
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                {open ? 'Hide tables' : 'View tables'}
              </Button>
            </Group>
          )}
          <Collapse expanded={open}>{open && <TablesLayout {...props} />}</Collapse>
        </>
      ) : (
        <TablesLayout {...props} />
      )}
    </Stack>
  )
}

function TablesLayout(props: ImportTablesPanelProps & { notes?: FileWarning[] }) {
  const { tables, active, onSelect, onPickFile, pick = 'many', named = false, notes = [] } = props
  const several = tables.length > 1
  return (
    <div className={list.layout} data-several={several || undefined}>
      {several && <ImportTableList {...{ tables, active, onSelect, pick }} />}
      <Stack gap="md" style={{ minWidth: 0 }}>
        {(several || named) && pick === 'many' && <ImportTableHeader one={active} several={several} />}
        <TableView key={active.id} importTable={active} notes={notes} onPickFile={onPickFile} />
      </Stack>
    </div>
  )
}

function ImportTableHeader({ one, several }: { one: ImportTable; several: boolean }) {
  return (
    <Group className={classes.bar} align="flex-end" gap="md">
      <TextInput
        label="Table name"
        value={one.name}
        onChange={(event) => one.rename(event.currentTarget.value)}
        maxLength={NAME_MAX_CHARS}
        style={{ flex: '1 1 14rem', maxWidth: 420 }}
      />
      {several && (
        <Checkbox
          label="Import this table"
          checked={one.chosen}
          onChange={(event) => one.choose(event.currentTarget.checked)}
          mb={8}
        />
      )}
    </Group>
  )
}

/** More files into the same drop. */
export function AddFilesButton({ onFiles }: { onFiles: (files: File[]) => void }) {
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
