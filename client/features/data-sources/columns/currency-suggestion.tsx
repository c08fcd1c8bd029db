import { Alert, Button, Group, Text } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import type { FileColumnEdit } from './file-column-edits'
import { formatNameList } from '../../../lib/plan/retained-items'
import { useSession } from '../../../lib/session'
import { suggestCurrencyColumn } from '../../../../src/shared/currencies'
import type { FileColumn, ColumnKey } from '../../../../src/shared/data-sources/files'

const columnKeyOf = (index: number): ColumnKey => `c${index}`

/** The columns of a file that may say which currency an amount is in, where the plan knows of several currencies. */
export function useCurrencyColumns(columns: readonly FileColumn[]): FileColumn[] {
  const multiCurrency = useSession().workspace?.entitlements.features.multiCurrency ?? false
  return multiCurrency
    ? columns.filter(({ include, type, role }) => include && type === 'text' && role === 'currency')
    : []
}

interface CurrencyPairing {
  /** The column that names currencies. */
  by: FileColumn
  /** Positions in the list of amounts that seem to be in them, and of those that are. */
  offered: number[]
  paired: number[]
}

/** Which amounts of a file may be in the currencies that one of its columns names. */
export function currencyPairingsOf(
  columns: readonly FileColumn[],
  currencies: readonly FileColumn[],
): CurrencyPairing[] {
  const keyed = columns.map(({ index, currencyIndex, include, ...rest }) => ({
    ...{ ...rest, key: columnKeyOf(index), hidden: !include },
    ...(currencyIndex === undefined ? {} : { currencyColumn: columnKeyOf(currencyIndex) }),
  }))
  const where = (fits: (column: (typeof keyed)[number]) => boolean): number[] =>
    keyed.flatMap((column, at) => (!column.hidden && fits(column) ? [at] : []))
  return currencies.flatMap((by) => {
    const key = columnKeyOf(by.index)
    const offered = where((column) => suggestCurrencyColumn(column, keyed) === key)
    const paired = where(({ currencyColumn }) => currencyColumn === key)
    return offered.length + paired.length === 0 ? [] : [{ by, offered, paired }]
  })
}

export interface CurrencySuggestionProps {
  columns: readonly FileColumn[]
  onEdit: (at: number, edit: FileColumnEdit) => void
}

/** Says which amounts are in the currency that their row names, asks it of others, and takes it back. */
export function CurrencySuggestion({ columns, onEdit }: CurrencySuggestionProps) {
  const currencies = useCurrencyColumns(columns)
  const labels = (places: readonly number[]): string => formatNameList(places.map((at) => columns[at]?.label ?? ''))
  return currencyPairingsOf(columns, currencies).map(({ by, offered, paired }) => (
    <Alert key={by.index} color="accent" icon={<IconBulb aria-hidden />} py="sm" title="Currencies">
      {paired.length > 0 && (
        <SuggestionLine
          sentence={`${labels(paired)}: currency from “${by.label}”.`}
          button="Undo"
          onClick={() => paired.forEach((at) => onEdit(at, { currencyIndex: null }))}
        />
      )}
      {offered.length > 0 && (
        <SuggestionLine
          sentence={`Use the currency in “${by.label}” for ${labels(offered)}? If not, different currencies are added together.`}
          button="Use row currency"
          onClick={() => offered.forEach((at) => onEdit(at, { currencyIndex: by.index }))}
        />
      )}
    </Alert>
  ))
}

const SuggestionLine = ({ sentence, button, onClick }: { sentence: string; button: string; onClick: () => void }) => (
  <Group gap="sm" justify="space-between">
    <Text size="sm" style={{ flex: '1 1 260px' }}>
      {sentence}
    </Text>
    <Button size="xs" variant="light" onClick={onClick}>
      {button}
    </Button>
  </Group>
)
