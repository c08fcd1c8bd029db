import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CurrencySuggestion, currencyPairingsOf, useCurrencyColumns } from './currency-proposal'
import { SourceErrorNotice } from './fault-notice'
import { PreviewGrid } from './preview-grid'
import { dateExample, decimalExample } from './proof'
import { ParsedExamples } from './proof-strip'
import { ImportSettingsBar } from './read-bar'
import { SETTINGS_LEVEL_BY_KIND } from './file-kinds'
import { ParsingTable } from './reading-file'
import { tableWarnings } from './table-facts'
import type { ImportTable as OneTable } from './use-tables'
import { WarningsList } from './warnings-list'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { useFormat } from '../../lib/format'
import type { FileWarning } from '../../../src/shared/files'

export interface TablePreviewProps {
  importTable: OneTable
  /** What there is to say beside the table's own. */
  notes: FileWarning[]
  onPickFile: () => void
}

/** What was found in a table and how it was read; every part of it can be corrected. */
export function TablePreview({ importTable, notes, onPickFile }: TablePreviewProps) {
  const locale = useSession().workspace?.settings.numberLocale ?? 'sv-SE'
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
  const input = { columns: found.columns, preview: inspection.preview, settings: inspection.settings, locale }
  // What is not written as text cannot be misread.
  const asked = new Set(pairings.map(({ by }) => by.label))
  const warnings = [...notes, ...tableWarnings(importTable)].filter(
    ({ code, column }) => code !== 'currency_column' || !asked.has(column ?? ''),
  )
  const proofs =
    readable === 'text' ? [decimalExample(input), dateExample(input)].filter((proof) => proof !== null) : []
  return (
    <Stack gap="md">
      <ParsedExamples proofs={proofs} />
      <ImportSettingsBar
        settingsLevel={readable}
        settings={inspection.settings}
        corrected={found.corrected}
        reading={found.reading}
        onChange={found.correct}
      />
      {found.error !== null && <UnreadableWithSettings one={importTable} />}
      <CurrencySuggestion columns={found.columns} onEdit={found.edit} />
      <WarningsList warnings={warnings} />
      <PreviewCaption count={inspection.preview.length} />
      <PreviewGrid
        columns={found.columns}
        cells={found.cells}
        invalidCounts={found.bad}
        onEdit={found.edit}
        onReset={found.reset}
      />
    </Stack>
  )
}

function PreviewCaption({ count }: { count: number }) {
  const format = useFormat()
  if (count === 0)
    return (
      <Alert color="yellow" title="There are column names and no rows">
        You can load it as it is and add rows later.
      </Alert>
    )
  return (
    <Text size="sm" c="dimmed">
      The first {format.count(count)} rows as they will be loaded. Choose a column’s name to change it.
    </Text>
  )
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
      <SourceErrorNotice error={found.error} subject="Not readable with these settings" />
      <Group>
        <Button variant="default" onClick={found.undoCorrections}>
          Go back to what was found
        </Button>
      </Group>
    </Stack>
  )
}
