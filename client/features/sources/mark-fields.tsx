import { Select } from '@mantine/core'
import type { ColumnEdit } from './column-edits'
import { MARK_CHOICES, ORDER_CHOICES } from './format-words'
import { FormatField } from './format-field'
import { DATE_ORDERS, DECIMAL_MARKS } from '../../../src/shared/files'
import type { FileColumn } from '../../../src/shared/files'

const AS_FILE = { value: '', label: 'As in the rest of the file' }
const inside = { withinPortal: false }

export interface MarkFieldsProps {
  column: FileColumn
  /** Columns that may say which currency each row's amount is in. */
  currencies: readonly FileColumn[]
  onEdit: (edit: ColumnEdit) => void
}

/** What only figures or only dates have: their decimal mark, date order and format. */
export function MarkFields({ column, currencies, onEdit }: MarkFieldsProps) {
  if (column.type === 'number' || column.type === 'integer')
    return (
      <>
        {column.type === 'number' && (
          <Select
            size="xs"
            label="Decimals"
            allowDeselect={false}
            data={[AS_FILE, ...MARK_CHOICES]}
            value={column.decimalMark ?? ''}
            onChange={(text) => onEdit({ decimalMark: DECIMAL_MARKS.find((mark) => mark === text) })}
            comboboxProps={inside}
          />
        )}
        <FormatField
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
        data={[AS_FILE, ...ORDER_CHOICES]}
        value={column.dateOrder ?? ''}
        onChange={(text) => onEdit({ dateOrder: DATE_ORDERS.find((order) => order === text) })}
        comboboxProps={inside}
      />
    )
  return null
}
