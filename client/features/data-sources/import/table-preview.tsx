import { useState } from 'react'
import { MutedText } from '../../../ui/muted-text'
import { Alert, Button, Group, Stack, Text, Loader, Select } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { CurrencySuggestion, currencyPairingsOf, useCurrencyColumns } from '../columns/currency-suggestion'
import { SourceErrorNotice } from '../source-error-notice'
import { PreviewGrid } from './preview-grid'
import { RememberedChoices } from './remembered-choices'
import { InvalidRowsAlert } from '../invalid-rows-alert'
import { dateExample, decimalExample, namesMonths, type ParsedExample } from './parsed-examples'
import { SETTINGS_LEVEL_BY_KIND, type SettingsLevel } from '../upload/file-kinds'
import { ParsingTable } from '../upload/upload-progress'
import { tableWarnings } from './import-request'
import { WarningsList } from './warnings-list'
import type { ImportTable as OneTable, TableImportState } from './use-import-tables'
import { BeforePreview, PreviewSwitch, type PreviewSide } from '../cleaning/before-preview'
import { CleaningPanel } from '../cleaning/cleaning-panel'
import { ApiError } from '../../../lib/api'
import { useFormat } from '../../../lib/format'
import { formatRowCount } from '../../../../src/shared/figures/formatter'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'
import type { FileWarning, CsvSettings } from '../../../../src/shared/data-sources/files'
import classes from '../preview-grid.module.css'
import { IMPORT_SETTING_FIELDS, type ImportSettingField } from './import-settings'

export interface TablePreviewProps {
  importTable: OneTable
  /** What there is to say beside the table's own. */
  notes: FileWarning[]
  onPickFile: () => void
}

/** What was found in a table and how it was read; every part of it can be corrected. */
export function TablePreview({ importTable, notes, onPickFile }: TablePreviewProps) {
  const { locale, dateLocale } = useFormat()
  const { found, table } = importTable
  const { inspection } = found
  const pairings = currencyPairingsOf(found.columns, useCurrencyColumns(found.columns))
  if (!inspection)
    return found.error === null ? (
      <ParsingTable name={importTable.name} />
    ) : (
      <UnreadableTable one={importTable} onPickFile={onPickFile} />
    )
  const readable = SETTINGS_LEVEL_BY_KIND[table.kind]
  const input = {
    columns: found.columns,
    preview: inspection.preview,
    settings: inspection.settings,
    locale,
    dateLocale,
  }
  // What is not written as text cannot be misread.
  const asked = new Set(pairings.map(({ by }) => by.label))
  // That there are no rows is said where they would be.
  const warnings = [...notes, ...tableWarnings(importTable)].filter(
    ({ code, column }) => code !== 'empty_rows' && (code !== 'currency_column' || !asked.has(column ?? '')),
  )
  const proofs =
    readable === 'text' ? [decimalExample(input), dateExample(input)].filter((proof) => proof !== null) : []
  return (
    <Stack gap="md">
      <RememberedChoices found={found} />
      <ParsedExamples proofs={proofs} />
      <ImportSettingsBar
        settingsLevel={readable}
        settings={inspection.settings}
        corrected={found.corrected}
        reading={found.reading}
        undecided={namesMonths(input) ? { dateOrder: 'Month by name' } : {}}
        onChange={found.correct}
      />
      {found.error !== null && <UnreadableWithSettings one={importTable} />}
      <CurrencySuggestion columns={found.columns} onEdit={found.edit} />
      <WarningsList warnings={warnings} onKeepText={keepTextOf(importTable)} />
      <InvalidRowsAlert table={found} next="Change the column’s type or exclude it." />
      {table.ledger === undefined && <CleaningPanel found={found} report={inspection.cleaning} />}
      <PreviewRows found={found} inspection={inspection} />
    </Stack>
  )
}

/** The first rows: as they will be loaded, and where they are cleaned also as they are in the file. */
function PreviewRows({ found, inspection }: { found: TableImportState; inspection: UploadInspection }) {
  const [side, setSide] = useState<PreviewSide>('after')
  const { cleaning } = inspection
  const isCleaned = cleaning.steps.length > 0
  return (
    <>
      {isCleaned && (
        <Group>
          <PreviewSwitch side={side} onChange={setSide} />
        </Group>
      )}
      {isCleaned && side === 'before' ? (
        <BeforePreview names={cleaning.columns[0] ?? []} rows={cleaning.before} />
      ) : (
        <>
          <PreviewCaption count={inspection.preview.length} />
          <PreviewGrid
            columns={found.columns}
            cells={found.cells}
            invalidCounts={found.bad}
            onEdit={found.edit}
            onReset={found.reset}
          />
        </>
      )}
    </>
  )
}

function PreviewCaption({ count }: { count: number }) {
  const format = useFormat()
  if (count === 0)
    return (
      <Alert color="yellow" title="No rows to import">
        Add rows to the file, then choose it again.
      </Alert>
    )
  return <MutedText>Preview of {formatRowCount(format, count)}. Select a column name to edit it.</MutedText>
}

/** Nothing could be read. A file that only breaks its own rules may be readable in another way. */
function UnreadableTable({ one, onPickFile }: { one: OneTable; onPickFile: () => void }) {
  const { found, fileName } = one
  const broken = found.error instanceof ApiError && found.error.body['reason'] === 'broken'
  return (
    <Stack gap="md">
      <SourceErrorNotice error={found.error} subject={fileName} onRetry={found.readAgain} onPickFile={onPickFile} />
      {broken && (
        <ImportSettingsBar
          settingsLevel={SETTINGS_LEVEL_BY_KIND[one.table.kind]}
          settings={null}
          corrected={found.corrected}
          reading={found.reading}
          onChange={found.correct}
        />
      )}
    </Stack>
  )
}

function UnreadableWithSettings({ one: { found } }: { one: OneTable }) {
  return (
    <Stack gap="xs">
      <SourceErrorNotice error={found.error} subject="Couldn’t read the file with these settings" />
      <Group>
        <Button variant="default" onClick={found.undoCorrections}>
          Reset to detected settings
        </Button>
      </Group>
    </Stack>
  )
}

/** Cells of the person's own file, read out: nobody can take `1 234,50` for 123 450 after this. */
function ParsedExamples({ proofs }: { proofs: ParsedExample[] }) {
  if (proofs.length === 0) return null
  return (
    <Group gap="lg" className={classes.proofs}>
      {proofs.map(({ column, raw, words }) => (
        <Group key={`${column}:${raw}`} gap={8} wrap="nowrap" align="flex-start">
          <IconCircleCheck size={18} color="var(--good)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Text size="sm">
            <code className={classes.raw}>{raw}</code> → <strong>{words}</strong>
            <Text span size="xs" c="dimmed">
              {' '}
              in {column}
            </Text>
          </Text>
        </Group>
      ))}
    </Group>
  )
}

/** The column that inspection found by this name becomes text. */
const keepTextOf =
  ({ found: { inspection, edit } }: OneTable) =>
  (label: string): void => {
    const at = inspection?.columns.findIndex((column) => column.label === label) ?? -1
    if (at >= 0) edit(at, { type: 'text' })
  }

interface ImportSettingsBarProps {
  /** How much was guessed, and can be corrected. */
  settingsLevel: SettingsLevel
  /** What the file is read with; null while it could not be read at all. */
  settings: CsvSettings | null
  /** What the person corrected so far. */
  corrected: Partial<CsvSettings>
  /** True while the file is read again with what was changed. */
  reading: boolean
  /** What stands in place of a setting that decides nothing in this file. */
  undecided?: Partial<Record<ImportSettingField['key'], string>>
  onChange: (change: Partial<CsvSettings>) => void
}

/** How the file was understood, each guess in a select of its own. */
function ImportSettingsBar({
  settingsLevel,
  settings,
  corrected,
  reading,
  undecided = {},
  onChange,
}: ImportSettingsBarProps) {
  if (settingsLevel === 'given') return null
  const fields = settingsLevel === 'text' ? IMPORT_SETTING_FIELDS : SHEET_SETTING_FIELDS
  const title = settings ? 'Import settings' : 'Read it another way'
  const hint = Object.keys(corrected).length === 0 ? 'Auto-detected' : ''
  return (
    <section aria-label={title} className={classes.bar}>
      <Group gap="xs" mb={8}>
        <Text fw={600}>{title}</Text>
        <Text size="xs" c="dimmed" role="status">
          {reading ? 'Updating…' : hint}
        </Text>
        {reading && <Loader size={14} aria-hidden />}
      </Group>
      <div className={classes.fields}>
        {fields.map((field) => (
          <SettingSelect
            key={field.key}
            field={field}
            placeholder={undecided[field.key]}
            value={
              field.key in corrected || (settings && undecided[field.key] === undefined)
                ? field.read({ ...UNKNOWN_SETTINGS, ...settings, ...corrected })
                : null
            }
            onPick={(value) => onChange(field.write(value))}
          />
        ))}
      </div>
    </section>
  )
}

/** A sheet has cells and types of its own: only where its names stand was guessed. */
const SHEET_SETTING_FIELDS: readonly ImportSettingField[] = IMPORT_SETTING_FIELDS.flatMap((field) =>
  field.key === 'skipLines' ? [{ ...field, label: 'Skip rows' }] : field.key === 'header' ? [field] : [],
)

/** Stands for what is not known while a file cannot be read; never sent. */
const UNKNOWN_SETTINGS: CsvSettings = {
  ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0 },
  ...{ decimalMark: '.', dateOrder: 'ymd' },
}

interface SettingSelectProps {
  field: ImportSettingField
  placeholder: string | undefined
  value: string | null
  onPick: (value: string) => void
}

function SettingSelect({ field, placeholder = 'Auto-detect', value, onPick }: SettingSelectProps) {
  return (
    <Select
      size="xs"
      label={field.label}
      labelProps={{ title: field.hint }}
      data={field.choices}
      value={value}
      placeholder={placeholder}
      rightSectionWidth={24}
      onChange={(picked) => picked !== null && picked !== value && onPick(picked)}
    />
  )
}
