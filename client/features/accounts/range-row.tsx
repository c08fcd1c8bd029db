import { ActionIcon, Group, NumberInput, Select, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import type { AccountValues } from './range-values'
import classes from './accounts.module.css'
import { ACCOUNT_LINES } from '../../../src/shared/account-classes'

const sections = [...new Set(ACCOUNT_LINES.map(({ section }) => section))]
const LINES = sections.map((section) => ({
  group: section,
  items: ACCOUNT_LINES.filter((line) => line.section === section).map(({ id, label }) => ({ value: id, label })),
}))
const labelOf = (id: string): string => ACCOUNT_LINES.find((line) => line.id === id)?.label ?? id

export interface RangeRowProps {
  form: UseFormReturnType<AccountValues>
  at: number
  readOnly: boolean
}

/** Accounts from … to …, and the line they belong to. */
export function RangeRow({ form, at, readOnly }: RangeRowProps) {
  const row = form.values.ranges[at]
  if (!row) return null
  if (readOnly)
    return (
      <Group gap="md" wrap="nowrap" component="li" className={classes.row}>
        <Text className={classes.span}>{row.from === row.to ? row.from : `${row.from}–${row.to}`}</Text>
        <Text>{labelOf(row.line)}</Text>
      </Group>
    )
  const number = (name: 'from' | 'to', label: string) => (
    <NumberInput
      {...form.getInputProps(`ranges.${at}.${name}`)}
      aria-label={`${label} of range ${at + 1}`}
      className={classes.number}
      min={1000}
      max={9999}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      hideControls
    />
  )
  return (
    <li className={classes.edit}>
      {number('from', 'First account')}
      <Text c="dimmed" aria-hidden className={classes.dash}>
        –
      </Text>
      {number('to', 'Last account')}
      <Select
        {...form.getInputProps(`ranges.${at}.line`)}
        aria-label={`Line of range ${at + 1}`}
        className={classes.line}
        data={LINES}
        searchable
        allowDeselect={false}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove range ${at + 1}`}
        onClick={() => form.removeListItem('ranges', at)}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </li>
  )
}
