import { Alert, Text, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { IconBook2, IconInfoCircle } from '@tabler/icons-react'
import { SourceErrorNotice } from '../source-error-notice'
import { DatasetImport, type DatasetImportProps } from './dataset-import'
import type { ImportMode } from './column-mapping'
import { datasetQuery, useCreateSource } from '../queries'
import { additionalLedgerFiles, suggestSourceName, isSelectedByDefault } from './detected-tables'
import type { OpenedFile } from '../upload/upload-queue'
import { TableSkeleton } from '../../../ui/skeletons'
import type { DataSource, ReopenedFile } from '../../../../src/shared/data-sources/data-sources'
import { useFormat } from '../../../lib/format'
import { formatCountOf } from '../../../../src/shared/figures/formatter'
import classes from '../preview-grid.module.css'
import { ImportTablesPanel } from './import-tables'
import { soleCompanyName } from './ledger-summary'
import { ImportFooter } from './import-footer'
import { tableColumnCount, toNewTableInputs, validateTables, totalTableRows } from './import-request'
import { ComparisonYearsField, comparisonYearsOf } from './comparison-years'
import { useImportTables, type ImportTable } from './use-import-tables'
import { useAdditionalLedgers, LedgerImportProgress, useAddTables, placeTable } from './add-tables'
import { ApiError } from '../../../lib/api'
import { NAME_MAX_CHARS, SOURCE_MAX_DATASETS } from '../../../../src/shared/limits'
import { nameSchema, nameKey } from '../../../../src/shared/field-schemas'
import { nameFromFile } from './import-settings'
import type { TablePlacement } from './ledger-match'

/** Where the files go: into a new source, beside the tables of one, or into one dataset. */
export type ImportTarget =
  | { kind: 'new' }
  | { kind: 'source'; source: DataSource }
  | { kind: 'dataset'; datasetId: string; mode: ImportMode; stored?: ReopenedFile }

export interface ImportReviewProps {
  files: readonly OpenedFile[]
  target: ImportTarget
  /** Why nothing can be loaded yet, or null. */
  waiting: string | null
  onStarted: (sourceId: string) => void
  onPickFile: () => void
  /** The way to other or further files, beside the load. */
  back: ReactNode
}

/** Opened files on their last look before they are loaded. */
export function ImportReview({ files, target, waiting, onStarted, onPickFile, back }: ImportReviewProps) {
  const common = { files, onPickFile, back }
  if (target.kind === 'dataset')
    return (
      <DatasetImportLoader
        {...common}
        datasetId={target.datasetId}
        mode={target.mode}
        readAs={target.stored?.settings}
        onStarted={({ sourceId }) => onStarted(sourceId)}
      />
    )
  return (
    <>
      <AdditionalLedgersNotice names={additionalLedgerFiles(files)} />
      {target.kind === 'new' ? (
        <NewSourceImport {...common} waiting={waiting} onStarted={onStarted} />
      ) : (
        <AddTablesImport
          {...common}
          source={target.source}
          waiting={waiting}
          onStarted={() => onStarted(target.source.id)}
        />
      )}
    </>
  )
}

function AdditionalLedgersNotice({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Alert color="accent" title="Several ledger files">
      <Text size="sm">{names.join(', ')}: imported in turn into the same tables.</Text>
    </Alert>
  )
}

function DatasetImportLoader({ datasetId, ...rest }: Omit<DatasetImportProps, 'dataset'> & { datasetId: string }) {
  const { data, error, refetch } = useQuery(datasetQuery(datasetId))
  if (error) return <SourceErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  return <DatasetImport dataset={data} {...rest} />
}

interface NewSourceImportProps {
  files: readonly OpenedFile[]
  /** Why nothing can be loaded yet: other files are still on their way. */
  waiting: string | null
  /** The load has begun; the source's own page shows how far it is. */
  onStarted: (sourceId: string) => void
  onPickFile: () => void
  /** The way to other or further files, beside the load. */
  back: ReactNode
}

const NAME_TAKEN = 'Name already in use'

/** The last look before files become a source: its name, how each table was read, its first rows. */
function NewSourceImport({ files, waiting, onStarted, onPickFile, back }: NewSourceImportProps) {
  const { tables, active, look } = useImportTables(files, { isChosen: isSelectedByDefault })
  const [typed, setName] = useState<string | null>(null)
  const name = typed ?? soleCompanyName(tables) ?? suggestSourceName(files.map(({ file }) => file.name))
  const create = useCreateSource()
  const books = useAdditionalLedgers()
  const [replacesComparison, setReplaces] = useState(false)
  const chosen = tables.filter(({ chosen: is }) => is)
  const several = tables.length > 1
  const taken = create.error instanceof ApiError && create.error.body.code === 'name_taken'
  const nameFault = nameSchema.safeParse(name).error?.issues[0]?.message ?? null
  const first = chosen.filter(({ later }) => !later)
  const inputs = toNewTableInputs(first, tables)
  const start = () => {
    if (!inputs) return
    // A source of one table needs one name, not two.
    const named = several ? inputs : inputs.map((input) => ({ ...input, name }))
    create.mutate(
      { name, tables: named },
      { onSuccess: ({ id }) => void books.load(id, { tables, replacesComparison }).then(() => onStarted(id)) },
    )
  }
  const unread = !several && active?.found.inspection === null
  const lost = unread && active.found.error !== null
  return (
    <Stack gap="md" data-form>
      {!lost && (
        <SourceNameBar
          name={name}
          onName={setName}
          fault={taken ? NAME_TAKEN : nameFault}
          files={files}
          tables={tables}
        />
      )}
      {active && <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} />}
      {chosen.some(({ later }) => later) && (
        <ComparisonYearsField years={comparisonYearsOf(chosen)} replaces={replacesComparison} onChange={setReplaces} />
      )}
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
  tables: readonly ImportTable[]
}

function SourceNameBar({ name, onName, fault, files, tables }: SourceNameBarProps) {
  return (
    <Group className={classes.bar} align="flex-end" justify="space-between" gap="md">
      <TextInput
        label="Source name"
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
        error={fault ?? undefined}
        maxLength={NAME_MAX_CHARS}
        style={{ flex: '1 1 16rem', maxWidth: 420 }}
      />
      <FileDetails files={files} tables={tables} />
    </Group>
  )
}

function FileDetails({ files, tables }: Pick<SourceNameBarProps, 'files' | 'tables'>) {
  const format = useFormat()
  const [first] = files
  if (files.length !== 1 || !first) return null
  const alone = tables.length === 1 && tables[0]
  return (
    <Text size="sm" c="dimmed">
      {first.file.name} · {format.bytes(first.file.size)}
      {alone && ` · ${formatCountOf(format, tableColumnCount(alone), 'column')}`}
    </Text>
  )
}

interface AddTablesImportProps {
  source: DataSource
  files: readonly OpenedFile[]
  waiting: string | null
  onStarted: () => void
  onPickFile: () => void
  back: ReactNode
}

/** More files into a source that is there: new tables beside its own, or further years of the same books. */
function AddTablesImport({ source, files, waiting, onStarted, onPickFile, back }: AddTablesImportProps) {
  const { tables, active, look } = useImportTables(files, {
    isChosen: isSelectedByDefault,
    held: reservedNames(files, source),
  })
  const add = useAddTables(source.id, tables)
  const books = useAdditionalLedgers()
  const [replacesComparison, setReplaces] = useState(false)
  const chosen = tables.filter(({ chosen: is }) => is)
  const first = chosen.filter(({ later }) => !later)
  const placed = first.map((table) => placeTable(table, { tables, datasets: source.datasets, replacesComparison }))
  const newTableCount = placed.filter(({ home }) => home === null).length
  const remainingTables = SOURCE_MAX_DATASETS - source.datasets.length
  const several = tables.length > 1
  const unread = chosen.some(({ found }) => found.inspection === null || found.reading)
  const limitError =
    newTableCount > remainingTables ? validateTables(first.slice(0, newTableCount), several, remainingTables) : null
  const start = () =>
    add.mutate(placed, { onSuccess: () => void books.load(source.id, { tables, replacesComparison }).then(onStarted) })
  return (
    <Stack gap="md" data-form>
      <ExistingLedgerNotice placed={placed} />
      <DuplicateNameNotice placed={placed} source={source} />
      {active && <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} named />}
      <ComparisonYearsField
        years={comparisonYearsOf(
          placed.flatMap(({ table, home, vouchersOnly }) => (home && !vouchersOnly ? [table] : [])),
        )}
        replaces={replacesComparison}
        onChange={setReplaces}
      />
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
    <Alert color="accent" icon={<IconInfoCircle aria-hidden />} title={`${same.join(', ')}: table already exists`}>
      <Text size="sm">This adds a second table. To update the existing one, use “Import data”.</Text>
    </Alert>
  )
}

function ExistingLedgerNotice({ placed }: { placed: TablePlacement[] }) {
  const homes = placed.flatMap(({ home }) => (home ? [home] : []))
  if (homes.length === 0) return null
  const beside = placed.some(({ home, vouchersOnly }) => home !== null && vouchersOnly)
  const replacing = placed.some(({ home, vouchersOnly }) => home !== null && !vouchersOnly)
  return (
    <Alert color="accent" icon={<IconBook2 aria-hidden />} title="Ledger already imported">
      {replacing && <Text size="sm">Years with transactions in the file replace the same years. Can be restored.</Text>}
      {beside && <Text size="sm">Vouchers without balances are appended: import each file once.</Text>}
      <Text size="sm" mt={4}>
        {homes.map(({ name }) => name).join(', ')}.
      </Text>
    </Alert>
  )
}
