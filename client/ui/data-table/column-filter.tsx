import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { useState, type SubmitEvent } from 'react'
import type { ColumnFilter } from '../../../src/shared/query/table-view'
import { IconButton } from '../buttons/icon-button'
import { DateField } from '../forms/date-field'
import type { DataColumn } from './data-column'

interface ColumnFilterProps {
  column: DataColumn
  at: number
  filter: ColumnFilter | undefined
  onFilter: (filter: ColumnFilter | null) => void
}

/** The filter of one column, behind a button of its header. */
export function ColumnFilterButton(props: ColumnFilterProps) {
  const [opened, setOpened] = useState(false)
  const { column, filter, onFilter } = props
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <IconButton
          icon={filter ? IconFilterFilled : IconFilter}
          iconSize={14}
          size={22}
          label={filter ? `Filter ${column.label} (on)` : `Filter ${column.label}`}
          {...(filter ? { color: 'accent' } : {})}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          {...props}
          onFilter={(next) => {
            setOpened(false)
            onFilter(next)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface FilterDraft {
  text: string
  from: string
  to: string
  is: 'true' | 'false'
}
const SHARE_SCALE = 100

function draftOf(filter: ColumnFilter | undefined, percent: boolean): FilterDraft {
  const shown = (bound: string | number | null): string => {
    if (typeof bound !== 'number') return bound ?? ''
    return String(percent ? Number((bound * SHARE_SCALE).toPrecision(12)) : bound)
  }
  const empty: FilterDraft = { text: '', from: '', to: '', is: 'true' }
  if (!filter) return empty
  if (filter.op === 'contains') return { ...empty, text: filter.value }
  if (filter.op === 'is') return { ...empty, is: filter.value ? 'true' : 'false' }
  return { ...empty, from: shown(filter.from), to: shown(filter.to) }
}

/** A number as it is typed: with spaces, a decimal comma or a real minus sign. Null when it is none. */
function typedNumber(text: string): number | null {
  const plain = text
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(',', '.')
    .replace('−', '-')
  return plain === '' || !Number.isFinite(Number(plain)) ? null : Number(plain)
}

function filterOf(draft: FilterDraft, { kind, percent = false }: DataColumn, column: number): ColumnFilter | null {
  if (kind === 'text') return draft.text.trim() === '' ? null : { column, op: 'contains', value: draft.text.trim() }
  if (kind === 'boolean') return { column, op: 'is', value: draft.is === 'true' }
  const bound = (text: string): string | number | null => {
    if (kind === 'date') return text === '' ? null : text
    const number = typedNumber(text)
    return number !== null && percent ? number / SHARE_SCALE : number
  }
  const [from, to] = [bound(draft.from), bound(draft.to)]
  return from === null && to === null ? null : { column, op: 'range', from, to }
}

function FilterForm({ column, at, filter, onFilter }: ColumnFilterProps) {
  const [draft, setDraft] = useState(() => draftOf(filter, column.percent === true))
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    event.stopPropagation()
    onFilter(filterOf(draft, column, at))
  }
  return (
    <form onSubmit={submit} data-transient aria-label={`Filter ${column.label}`}>
      <Stack gap="sm" w={220}>
        <FilterFields column={column} draft={draft} onDraft={setDraft} />
        <Group justify="flex-end" gap="xs">
          {filter && (
            <Button variant="default" size="xs" onClick={() => onFilter(null)}>
              Clear
            </Button>
          )}
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface FilterFieldsProps {
  column: DataColumn
  draft: FilterDraft
  onDraft: (draft: FilterDraft) => void
}

function FilterFields({ column, draft, onDraft }: FilterFieldsProps) {
  if (column.kind === 'boolean')
    return (
      <SegmentedControl
        aria-label={column.label}
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={draft.is}
        onChange={(is) => onDraft({ ...draft, is })}
      />
    )
  if (column.kind === 'text')
    return (
      <TextInput
        label={column.exact === true ? 'Equals' : 'Contains'}
        value={draft.text}
        onChange={({ currentTarget: { value } }) => onDraft({ ...draft, text: value })}
        maxLength={200}
        data-autofocus
      />
    )
  if (column.kind === 'date')
    return (
      <Stack gap="xs">
        <DateField label="From" value={draft.from} onChange={(from) => onDraft({ ...draft, from })} data-autofocus />
        <DateField label="To" value={draft.to} onChange={(to) => onDraft({ ...draft, to })} />
      </Stack>
    )
  const unit = column.percent === true ? ' (%)' : ''
  return (
    <Group grow gap="xs" wrap="nowrap">
      <TextInput
        label={`From${unit}`}
        value={draft.from}
        inputMode="decimal"
        onChange={({ currentTarget: { value } }) => onDraft({ ...draft, from: value })}
        data-autofocus
      />
      <TextInput
        label={`To${unit}`}
        value={draft.to}
        inputMode="decimal"
        onChange={({ currentTarget: { value } }) => onDraft({ ...draft, to: value })}
      />
    </Group>
  )
}
