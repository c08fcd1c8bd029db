import { Select } from '@mantine/core'
import type { Column, ColumnKey } from '../../../src/shared/sources'
import { readable } from './draft-measures'

export interface ColumnSelectProps {
  label: string
  columns: Column[]
  value: ColumnKey | null
  onChange: (key: ColumnKey | null) => void
  /** A first choice that is no column, such as counting rows. */
  none?: string
  hideLabel?: boolean
  placeholder?: string
}
const NONE = ''

/** Picks a column by its readable name; typing finds it. */
export function ColumnSelect(props: ColumnSelectProps) {
  const { label, columns, value, onChange, none, hideLabel = false, placeholder = 'Choose a column' } = props
  const names = columns.map((column) => ({ value: column.key, label: readable(column.label) }))
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      data={none === undefined ? names : [{ value: NONE, label: none }, ...names]}
      value={value ?? (none === undefined ? null : NONE)}
      placeholder={placeholder}
      searchable={names.length > 8}
      allowDeselect={false}
      nothingFoundMessage="No such column"
      onChange={(key) => onChange(columns.find((column) => column.key === key)?.key ?? null)}
      style={{ flexGrow: 1, minWidth: 0 }}
    />
  )
}
