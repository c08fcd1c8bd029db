import { Select, type MantineSize } from '@mantine/core'
import { useSession } from '../../../lib/session'
import type { ColumnFormat, ColumnKey } from '../../../../src/shared/data-sources/files'

const COMMON_CURRENCIES = ['SEK', 'EUR', 'USD', 'GBP', 'NOK', 'DKK', 'CHF', 'PLN']

/** Columns that may say which currency each row's amount is in; `held` is the one that does. */
interface RowCurrencyOptions {
  choices: readonly { key: ColumnKey; label: string }[]
  held: ColumnKey | null
  onPick: (key: ColumnKey) => void
}

export interface ColumnFormatFieldProps {
  label: string
  format: ColumnFormat
  onChange: (format: ColumnFormat) => void
  size?: MantineSize
  /** True inside a popover, whose outside click must not be a click on the options. */
  inPopover?: boolean
  hideLabel?: boolean
  disabled?: boolean
  rowCurrency?: RowCurrencyOptions
}

const toOptionValue = (format: ColumnFormat): string => (format.style === 'currency' ? format.currency : format.style)
const toColumnFormat = (text: string): ColumnFormat =>
  text === 'percent' || text === 'plain' ? { style: text } : { style: 'currency', currency: text }

/** How figures are shown: as they are, as per cent, or as money of one currency. Values never change by it. */
export function ColumnFormatField({
  label,
  format,
  onChange,
  size = 'sm',
  inPopover = false,
  hideLabel = false,
  disabled = false,
  rowCurrency,
}: ColumnFormatFieldProps) {
  const own = useSession().workspace?.settings.currency
  const held = format.style === 'currency' ? [format.currency] : []
  const currencies = [...new Set([...(own === undefined ? [] : [own]), ...held, ...COMMON_CURRENCIES])]
  return (
    <Select
      size={size}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      disabled={disabled}
      data={[
        { value: 'plain', label: 'Number' },
        { value: 'percent', label: 'Percent' },
        ...currencies.map((value) => ({ value, label: `Currency (${value})` })),
        ...(rowCurrency?.choices ?? []).map(({ key, label: name }) => ({ value: key, label: `Currency from ${name}` })),
      ]}
      value={rowCurrency?.held ?? toOptionValue(format)}
      onChange={(text) => {
        const picked = rowCurrency?.choices.find(({ key }) => key === text)
        if (picked) rowCurrency?.onPick(picked.key)
        else if (text !== null) onChange(toColumnFormat(text))
      }}
      comboboxProps={{ withinPortal: !inPopover }}
    />
  )
}
