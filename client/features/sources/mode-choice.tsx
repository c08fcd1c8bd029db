import { Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import classes from './mode-choice.module.css'
import { formatRowCount } from './amounts'
import type { ImportMode } from './mapping'
import { useFormat } from '../../lib/format'

const IMPORT_MODES: readonly { value: ImportMode; label: string; note: string }[] = [
  { value: 'append', label: 'Add the rows', note: 'What is there stays. For a file with only the newest period.' },
  {
    value: 'replace',
    label: 'Replace all rows',
    note: 'For a file that holds everything. You can go back afterwards.',
  },
  { value: 'upsert', label: 'Update and add', note: 'Rows with the same key are updated, the others are added.' },
  {
    value: 'replacePart',
    label: 'Replace a part',
    note: 'Only the months or years that are in the file are replaced. The others stay.',
  },
]
const REPLACE_YEARS = {
  value: 'replacePart',
  label: 'Replace the years in this file',
  note: 'A year that is in the file takes the place of the same year here. Other years stay.',
} as const
/** Books are replaced by the year first of all. */
const LEDGER_IMPORT_MODES = [
  REPLACE_YEARS,
  ...IMPORT_MODES.filter(({ value }) => value === 'replace' || value === 'append'),
]

/** What happens to the rows that are there. */
export function ImportModeField({
  mode,
  onChange,
  rowCount,
  ledger = false,
}: {
  mode: ImportMode
  onChange: (mode: ImportMode) => void
  rowCount: number
  /** The rows are books of fiscal years. */
  ledger?: boolean
}) {
  const modes = ledger ? LEDGER_IMPORT_MODES : IMPORT_MODES
  const format = useFormat()
  const pick = (text: string) => {
    const known = IMPORT_MODES.find(({ value }) => value === text)
    if (known) onChange(known.value)
  }
  return (
    <Radio.Group
      value={mode}
      onChange={pick}
      label={`What should happen to the ${formatRowCount(format, rowCount)} that are there?`}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: modes.length }} mt="xs">
        {modes.map(({ value, label, note }) => (
          <Radio.Card key={value} value={value} className={classes.card}>
            <Stack gap={2}>
              <Text fw={600}>{label}</Text>
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            </Stack>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
