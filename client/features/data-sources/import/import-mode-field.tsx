import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ImportMode } from './column-mapping'
import type { KeyMatch } from './key-match'
import { useFormat } from '../../../lib/format'
import { RadioCards } from '../../../ui/forms/radio-cards'
import { TERMS } from '../../../../src/shared/terms'

const IMPORT_MODES: readonly { value: ImportMode; label: string; note: string }[] = [
  { value: 'append', label: TERMS.append, note: 'Keep existing rows; add new ones.' },
  { value: 'upsert', label: 'Update or add (upsert)', note: 'Update rows with the same key; add the rest.' },
  { value: 'replace', label: 'Replace all rows', note: 'For a complete file. Can be restored.' },
  { value: 'replacePart', label: 'Replace part', note: 'Replace only the months or years in the file.' },
]
const REPLACE_YEARS = {
  value: 'replacePart',
  label: 'Replace years in file',
  note: 'Keep all other years.',
} as const
/** Books are replaced by the year first of all. */
const LEDGER_IMPORT_MODES = [
  REPLACE_YEARS,
  ...IMPORT_MODES.filter(({ value }) => value === 'replace' || value === 'append'),
]

export interface ImportModeFieldProps {
  mode: ImportMode
  onChange: (mode: ImportMode) => void
  rowCount: number
  /** The rows are books of fiscal years. */
  ledger?: boolean
}

/** What happens to the rows that are there. */
export function ImportModeField({ mode, onChange, rowCount, ledger = false }: ImportModeFieldProps) {
  const modes = ledger ? LEDGER_IMPORT_MODES : IMPORT_MODES
  const format = useFormat()
  return (
    <RadioCards
      label={`Existing rows: ${format.count(rowCount)}`}
      choices={modes}
      value={mode}
      cols={{ base: 1, sm: 2, lg: modes.length }}
      onChange={onChange}
    />
  )
}

/** Says before rows are appended that they are there already, with the way that doubles none. */
export function ExistingKeysAlert({ match, onUpsert }: { match: KeyMatch; onUpsert: () => void }) {
  const format = useFormat()
  if (match.key === null || match.existing === 0) return null
  const share =
    match.existing === match.checked
      ? `All ${format.count(match.checked)} checked values`
      : `${format.count(match.existing)} of ${format.count(match.checked)} checked values`
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Some rows already exist" role="alert">
      <Text size="sm">
        {share} of {match.key.label} already exist. {TERMS.append} duplicates these rows.
      </Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={onUpsert}>
          Update or add instead
        </Button>
      </Group>
    </Alert>
  )
}
