import { Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import classes from './dataset-import.module.css'
import type { ImportTable } from './use-import-tables'
import { MutedText } from '../../../ui/muted-text'

/** Fiscal years that ledgers bring figures, but no transactions of, oldest first. */
export const comparisonYearsOf = (tables: readonly Pick<ImportTable, 'table'>[]): string[] =>
  [...new Set(tables.flatMap(({ table }) => (table.comparisonYears ?? []).map(({ year }) => year)))].toSorted()

export interface ComparisonYearsFieldProps {
  years: readonly string[]
  replaces: boolean
  onChange: (replaces: boolean) => void
}

/** What becomes of the same years in the books that are there. */
export function ComparisonYearsField({ years, replaces, onChange }: ComparisonYearsFieldProps) {
  if (years.length === 0) return null
  return (
    <Radio.Group
      label={`Years without transactions in the file: ${years.join(', ')}`}
      value={replaces ? 'replace' : 'keep'}
      onChange={(value) => onChange(value === 'replace')}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        {CHOICES.map(({ value, label, note }) => (
          <Radio.Card key={value} value={value} className={classes.card}>
            <Stack gap={2}>
              <Text fw={600}>{label}</Text>
              <MutedText>{note}</MutedText>
            </Stack>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

const CHOICES = [
  { value: 'keep', label: 'Keep years with transactions', note: 'Only years without transactions are replaced.' },
  { value: 'replace', label: 'Replace these years', note: 'Use balances and budgets from this file.' },
]
