import { useState } from 'react'
import { TERMS } from '../../../../src/shared/terms'
import { Button, Popover, Select, Stack, Switch, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconAbc,
  IconAlertTriangle,
  IconCalendar,
  IconChevronDown,
  IconClock,
  IconHash,
  IconToggleLeft,
} from '@tabler/icons-react'
import classes from '../preview-grid.module.css'
import { rolesForType, type FileColumnEdit } from './file-column-edits'
import { COLUMN_ROLE_LABELS, DECIMAL_SEPARATOR_OPTIONS, DATE_ORDER_OPTIONS } from '../import/import-settings'
import { COLUMN_TYPE_LABELS, COLUMN_TYPES, DATE_ORDERS, DECIMAL_MARKS } from '../../../../src/shared/data-sources/files'
import type { ColumnType, FileColumn } from '../../../../src/shared/data-sources/files'
import { useUnsavedWork } from '../../../lib/writes/unsaved-input'
import { ColumnFormatField } from './column-format-field'

export const COLUMN_TYPE_ICONS: Record<ColumnType, typeof IconHash> = {
  text: IconAbc,
  integer: IconHash,
  number: IconHash,
  boolean: IconToggleLeft,
  date: IconCalendar,
  datetime: IconClock,
}

export interface ColumnMenuProps {
  column: FileColumn
  /** Columns that may say which currency each row's amount is in. */
  currencyColumns: readonly FileColumn[]
  /** Cells among the shown rows that this type cannot read. */
  invalidCount: number
  onEdit: (edit: FileColumnEdit) => void
  onReset: (() => void) | undefined
}

/** The head of a column: what it is called, what it is taken for, and everything that can be changed about it. */
export function ColumnMenu({ column, currencyColumns, invalidCount, onEdit, onReset }: ColumnMenuProps) {
  const Icon = COLUMN_TYPE_ICONS[column.type]
  const note = column.include
    ? `${COLUMN_TYPE_LABELS[column.type]} · ${COLUMN_ROLE_LABELS[column.role].label}`
    : 'Excluded'
  const [name, setName] = useState<string | null>(null)
  useUnsavedWork(name !== null && name !== column.label)
  /** Takes the typed name up, however its field is left: Escape closes the menu without leaving it. */
  const settleName = (): void => {
    if (name !== null) onEdit({ label: name.trim() || column.label })
    setName(null)
  }
  return (
    <Popover position="bottom-start" shadow="md" width={260} trapFocus returnFocus withinPortal onClose={settleName}>
      <Popover.Target>
        <UnstyledButton className={classes.head}>
          <span className={classes.headLabel}>
            <Icon size={15} aria-hidden style={{ flex: 'none' }} />
            <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{column.label}</span>
            <IconChevronDown size={13} aria-hidden style={{ flex: 'none' }} />
          </span>
          <span className={classes.headNote}>{note}</span>
          {invalidCount > 0 && column.include && (
            <span className={`${classes.headNote} ${classes.headBad}`}>
              <IconAlertTriangle size={12} aria-hidden /> {invalidCount} invalid
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <ColumnForm
          {...{ column, currencyColumns, onEdit, onReset }}
          name={name ?? column.label}
          onName={setName}
          onNameLeft={settleName}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ColumnFormProps extends Omit<ColumnMenuProps, 'invalidCount'> {
  /** As it is typed. */
  name: string
  onName: (name: string) => void
  onNameLeft: () => void
}

function ColumnForm({ column, currencyColumns, onEdit, onReset, name, onName, onNameLeft }: ColumnFormProps) {
  const type = (text: string | null) => {
    const picked = COLUMN_TYPES.find((known) => known === text)
    if (picked) onEdit({ type: picked })
  }
  const role = (text: string | null) => {
    const picked = rolesForType(column.type).find((known) => known === text)
    if (picked) onEdit({ role: picked })
  }
  return (
    <Stack gap="xs">
      <Switch
        label="Import column"
        checked={column.include}
        onChange={(event) => onEdit({ include: event.currentTarget.checked })}
      />
      <TextInput
        size="xs"
        label="Name"
        value={name}
        maxLength={200}
        onChange={(event) => onName(event.currentTarget.value)}
        onBlur={onNameLeft}
      />
      <Select
        size="xs"
        label="Type"
        data={COLUMN_TYPES.map((value) => ({ value, label: COLUMN_TYPE_LABELS[value] }))}
        value={column.type}
        onChange={type}
        comboboxProps={{ withinPortal: false }}
      />
      <Tooltip label={COLUMN_ROLE_LABELS[column.role].hint}>
        <Select
          size="xs"
          label="Role"
          data={rolesForType(column.type).map((value) => ({ value, label: COLUMN_ROLE_LABELS[value].label }))}
          value={column.role}
          onChange={role}
          comboboxProps={{ withinPortal: false }}
        />
      </Tooltip>
      <ParsingFields column={column} currencies={currencyColumns} onEdit={onEdit} />
      {onReset && (
        <Button size="xs" variant="subtle" onClick={onReset}>
          As it was found
        </Button>
      )}
    </Stack>
  )
}

const FILE_DEFAULT_OPTION = { value: '', label: 'Same as file' }
const INSIDE_POPOVER = { withinPortal: false }

interface ParsingFieldsProps {
  column: FileColumn
  /** Columns that may say which currency each row's amount is in. */
  currencies: readonly FileColumn[]
  onEdit: (edit: FileColumnEdit) => void
}

/** What only figures, dates or texts have: decimal mark, date order, format, and what stands for no value. */
function ParsingFields({ column, currencies, onEdit }: ParsingFieldsProps) {
  if (column.type === 'number' || column.type === 'integer')
    return (
      <>
        {column.type === 'number' && (
          <Select
            size="xs"
            label="Decimal separator"
            data={[FILE_DEFAULT_OPTION, ...DECIMAL_SEPARATOR_OPTIONS]}
            value={column.decimalMark ?? ''}
            onChange={(text) => onEdit({ decimalMark: DECIMAL_MARKS.find((mark) => mark === text) })}
            comboboxProps={INSIDE_POPOVER}
          />
        )}
        <ColumnFormatField
          size="xs"
          label={TERMS.format}
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
        data={[FILE_DEFAULT_OPTION, ...DATE_ORDER_OPTIONS]}
        value={column.dateOrder ?? ''}
        onChange={(text) => onEdit({ dateOrder: DATE_ORDERS.find((order) => order === text) })}
        comboboxProps={INSIDE_POPOVER}
      />
    )
  if (column.type === 'text' && column.emptyMarker !== undefined)
    return (
      <Switch
        label={`Read “${column.emptyMarker}” as empty`}
        checked={column.keepsMarker !== true}
        onChange={(event) => onEdit({ keepsMarker: !event.currentTarget.checked })}
      />
    )
  return null
}
