import { Select } from '@mantine/core'
import type { FileColumnEdit } from './column-edits'
import { DECIMAL_SEPARATOR_OPTIONS, DATE_ORDER_OPTIONS } from './format-words'
import { ColumnFormatField } from './format-field'
import { DATE_ORDERS, DECIMAL_MARKS } from '../../../src/shared/files'
import type { FileColumn } from '../../../src/shared/files'

const FILE_DEFAULT_OPTION = { value: '', label: 'As in the rest of the file' }
const INSIDE_POPOVER = { withinPortal: false }

export interface ParsingFieldsProps {
  column: FileColumn
  /** Columns that may say which currency each row's amount is in. */
  currencies: readonly FileColumn[]
  onEdit: (edit: FileColumnEdit) => void
}

/** What only figures or only dates have: their decimal mark, date order and format. */
export function ParsingFields({ column, currencies, onEdit }: ParsingFieldsProps) {
  if (column.type === 'number' || column.type === 'integer')
    return (
      <>
        {column.type === 'number' && (
          <Select
            size="xs"
            label="Decimals"
            allowDeselect={false}
            data={[FILE_DEFAULT_OPTION, ...DECIMAL_SEPARATOR_OPTIONS]}
            value={column.decimalMark ?? ''}
            onChange={(text) => onEdit({ decimalMark: DECIMAL_MARKS.find((mark) => mark === text) })}
            comboboxProps={INSIDE_POPOVER}
          />
        )}
        <ColumnFormatField
          size="xs"
          label="Shown as"
          format={column.format}
          onChange={(format) => onEdit({ format, currencyIndex: null })}
          rowCurrency={{
            choices: currencies.map(({ index, label }) => ({ key: `c${index}`, label })),
            held: column.currencyIndex === undefined ? null : `c${column.currencyIndex}`,
            onPick: (key) => onEdit({ currencyIndex: Number(key.slice(1)) }),
          }}
          inPopover
        />
      </>
    )
  if (column.type === 'date' || column.type === 'datetime')
    return (
      <Select
        size="xs"
        label="Date order"
        allowDeselect={false}
        data={[FILE_DEFAULT_OPTION, ...DATE_ORDER_OPTIONS]}
        value={column.dateOrder ?? ''}
        onChange={(text) => onEdit({ dateOrder: DATE_ORDERS.find((order) => order === text) })}
        comboboxProps={INSIDE_POPOVER}
      />
    )
  return null
}
