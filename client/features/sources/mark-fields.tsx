import { Select } from '@mantine/core'
import type { ColumnEdit } from './column-edits'
import { FormatField } from './format-field'
import { DATE_ORDERS, DECIMAL_MARKS } from '../../../src/shared/files'
import type { FileColumn } from '../../../src/shared/files'

const MARKS = { ',': 'Comma: 1 234,50', '.': 'Point: 1,234.50' }
const ORDERS = { ymd: 'Year-month-day', dmy: 'Day/month/year', mdy: 'Month/day/year' }
const AS_FILE = { value: '', label: 'As in the rest of the file' }
const inside = { withinPortal: false }

/** What only figures or only dates have: their decimal mark, date order and format. */
export function MarkFields({ column, onEdit }: { column: FileColumn; onEdit: (edit: ColumnEdit) => void }) {
  if (column.type === 'number' || column.type === 'integer')
    return (
      <>
        {column.type === 'number' && (
          <Select
            size="xs"
            label="Decimals"
            allowDeselect={false}
            data={[AS_FILE, ...DECIMAL_MARKS.map((value) => ({ value, label: MARKS[value] }))]}
            value={column.decimalMark ?? ''}
            onChange={(text) => onEdit({ decimalMark: DECIMAL_MARKS.find((mark) => mark === text) })}
            comboboxProps={inside}
          />
        )}
        <FormatField
          size="xs"
          label="Shown as"
          format={column.format}
          onChange={(format) => onEdit({ format })}
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
        data={[AS_FILE, ...DATE_ORDERS.map((value) => ({ value, label: ORDERS[value] }))]}
        value={column.dateOrder ?? ''}
        onChange={(text) => onEdit({ dateOrder: DATE_ORDERS.find((order) => order === text) })}
        comboboxProps={inside}
      />
    )
  return null
}
