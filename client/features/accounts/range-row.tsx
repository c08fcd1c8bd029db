import { ActionIcon, Group, NumberInput, Select, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import type { AccountClassesValues } from './range-values'
import classes from './accounts.module.css'
import { STATEMENT_LINES } from '../../../src/shared/account-classes'

const LINE_SECTIONS = [...new Set(STATEMENT_LINES.map(({ section }) => section))]
const LINE_OPTIONS = LINE_SECTIONS.map((section) => ({
  group: section,
  items: STATEMENT_LINES.filter((line) => line.section === section).map(({ id, label }) => ({ value: id, label })),
}))
const lineLabel = (id: string): string => STATEMENT_LINES.find((line) => line.id === id)?.label ?? id

export interface AccountRangeRowProps {
  form: UseFormReturnType<AccountClassesValues>
  at: number
  readOnly: boolean
}

/** Accounts from … to …, and the line they belong to. */
export function AccountRangeRow({ form, at, readOnly }: AccountRangeRowProps) {
  const row = form.values.ranges[at]
  if (!row) return null
  if (readOnly)
    return (
      <Group gap="md" wrap="nowrap" component="li" className={classes.row}>
        <Text className={classes.span}>{row.from === row.to ? row.from : `${row.from}–${row.to}`}</Text>
        <Text>{lineLabel(row.line)}</Text>
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
        data={LINE_OPTIONS}
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
