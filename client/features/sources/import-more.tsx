import { Alert, Stack, Text } from '@mantine/core'
import { IconBook2, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LedgerImportProgress } from './adding-books'
import { SourceErrorNotice } from './fault-notice'
import { nameFromFile } from './format-words'
import { ImportTablesPanel } from './import-tables'
import type { TablePlacement } from './ledger-match'
import { ImportFooter } from './load-foot'
import { isSelectedByDefault } from './table-choice'
import { validateTables, totalTableRows } from './table-facts'
import type { OpenedFile } from './upload-queue'
import { useAddTables } from './use-add-tables'
import { placeTable, useAdditionalLedgers } from './use-later-books'
import { useImportTables } from './use-tables'
import { nameKey } from '../../../src/shared/names'
import { SOURCE_MAX_DATASETS } from '../../../src/shared/limits'
import type { DataSource } from '../../../src/shared/sources'

export interface AddTablesImportProps {
  source: DataSource
  files: readonly OpenedFile[]
  waiting: string | null
  onStarted: () => void
  onPickFile: () => void
  back: ReactNode
}

/** More files into a source that is there: new tables beside its own, or further years of the same books. */
export function AddTablesImport({ source, files, waiting, onStarted, onPickFile, back }: AddTablesImportProps) {
  const { tables, active, look } = useImportTables(files, {
    isChosen: isSelectedByDefault,
    held: reservedNames(files, source),
  })
  const add = useAddTables(source.id)
  const books = useAdditionalLedgers()
  const chosen = tables.filter(({ chosen: is }) => is)
  const first = chosen.filter(({ later }) => !later)
  const placed = first.map((table) => placeTable(table, { tables, datasets: source.datasets }))
  const newTableCount = placed.filter(({ home }) => home === null).length
  const remainingTables = SOURCE_MAX_DATASETS - source.datasets.length
  const several = tables.length > 1
  const unread = chosen.some(({ found }) => found.inspection === null || found.reading)
  const limitError =
    newTableCount > remainingTables ? validateTables(first.slice(0, newTableCount), several, remainingTables) : null
  const start = () => add.mutate(placed, { onSuccess: () => void books.load(source.id, tables).then(onStarted) })
  return (
    <Stack gap="md">
      <ExistingLedgerNotice placed={placed} />
      <DuplicateNameNotice placed={placed} source={source} />
      {active && <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} named />}
      {add.error && <SourceErrorNotice error={add.error} onRetry={start} onPickFile={onPickFile} />}
      <LedgerImportProgress file={books.file} />
      <ImportFooter
        rows={totalTableRows(chosen)}
        tables={several ? first.length : null}
        fault={limitError ?? validateTables(first, several) ?? waiting}
        busy={add.isPending || books.file !== null}
        waiting={unread}
        onLoad={start}
        back={back}
      />
    </Stack>
  )
}

/** Years of books go into the tables of that name; whatever else comes gets a name of its own. */
const reservedNames = (files: readonly OpenedFile[], { datasets }: DataSource): string[] =>
  files.some(({ opened }) => opened.tables.some(({ ledger }) => ledger !== undefined))
    ? []
    : datasets.map(({ name }) => name)

/** A table of that name is there: further rows for it are another thing than a second table. */
function DuplicateNameNotice({ placed, source }: { placed: TablePlacement[]; source: DataSource }) {
  const there = new Set(source.datasets.map(({ name }) => nameKey(name)))
  const same = placed.flatMap(({ table, home }) => {
    const own = nameKey(nameFromFile(table.table.name))
    return home === null && there.has(own) ? [nameFromFile(table.table.name)] : []
  })
  if (same.length === 0) return null
  return (
    <Alert color="accent" icon={<IconInfoCircle aria-hidden />} title={`${same.join(', ')}: here already`}>
      <Text size="sm">
        This becomes a second table. For newer rows of the table that is here, close this, look at it and choose “Add or
        replace data”.
      </Text>
    </Alert>
  )
}

function ExistingLedgerNotice({ placed }: { placed: TablePlacement[] }) {
  const homes = placed.flatMap(({ home }) => (home ? [home] : []))
  if (homes.length === 0) return null
  const beside = placed.some(({ home, vouchersOnly }) => home !== null && vouchersOnly)
  const replacing = placed.some(({ home, vouchersOnly }) => home !== null && !vouchersOnly)
  return (
    <Alert color="accent" icon={<IconBook2 aria-hidden />} title="These books are here already">
      {replacing && (
        <Text size="sm">
          The fiscal years in the file take the place of the same years. Other years stay as they are, and you can go
          back afterwards.
        </Text>
      )}
      {beside && (
        <Text size="sm">A file of vouchers without balances comes beside what is here: load each such file once.</Text>
      )}
      <Text size="sm" mt={4}>
        {homes.map(({ name }) => name).join(', ')}.
      </Text>
    </Alert>
  )
}
