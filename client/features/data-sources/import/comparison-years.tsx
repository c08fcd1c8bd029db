import { fiscalYearName } from '../../../../src/shared/statements/words'
import type { ImportTable } from './use-import-tables'
import { RadioCards } from '../../../ui/forms/radio-cards'

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
    <RadioCards
      label={`Years without transactions in the file: ${years.map((year) => fiscalYearName(year, 'en')).join(', ')}`}
      choices={CHOICES}
      value={replaces ? 'replace' : 'keep'}
      cols={{ base: 1, sm: 2 }}
      onChange={(value) => onChange(value === 'replace')}
    />
  )
}

const CHOICES = [
  { value: 'keep', label: 'Keep years with transactions', note: 'Only years without transactions are replaced.' },
  { value: 'replace', label: 'Replace these years', note: 'Use balances and budgets from this file.' },
] as const
