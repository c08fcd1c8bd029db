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
import classes from './import-preview.module.css'
import { rolesForType } from './column-edits'
import type { FileColumnEdit } from './column-edits'
import { COLUMN_ROLE_LABELS, COLUMN_TYPE_LABELS } from './format-words'
import { ParsingFields } from './mark-fields'
import { COLUMN_TYPES } from '../../../src/shared/files'
import type { ColumnType, FileColumn } from '../../../src/shared/files'

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
    : 'Left out'
  return (
    <Popover position="bottom-start" shadow="md" width={260} trapFocus withinPortal>
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
              <IconAlertTriangle size={12} aria-hidden /> {invalidCount} unreadable
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <ColumnForm column={column} currencyColumns={currencyColumns} onEdit={onEdit} onReset={onReset} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ColumnForm({ column, currencyColumns, onEdit, onReset }: Omit<ColumnMenuProps, 'invalidCount'>) {
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
        label="Load this column"
        checked={column.include}
        onChange={(event) => onEdit({ include: event.currentTarget.checked })}
      />
      <TextInput
        size="xs"
        label="Name"
        defaultValue={column.label}
        maxLength={200}
        onBlur={(event) => onEdit({ label: event.currentTarget.value.trim() || column.label })}
      />
      <Select
        size="xs"
        label="Type"
        allowDeselect={false}
        data={COLUMN_TYPES.map((value) => ({ value, label: COLUMN_TYPE_LABELS[value] }))}
        value={column.type}
        onChange={type}
        comboboxProps={{ withinPortal: false }}
      />
      <Tooltip label={COLUMN_ROLE_LABELS[column.role].hint}>
        <Select
          size="xs"
          label="Used as"
          allowDeselect={false}
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
