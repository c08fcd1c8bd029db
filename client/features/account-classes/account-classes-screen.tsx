import { IconButton } from '../../ui/buttons/icon-button'
import { QueryStatus } from '../../ui/query-view'
import { Group, NumberInput, Select, Stack, Text, Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSaveAccountClasses, type AccountClassesValues } from './account-classes-form'
import classes from './account-classes.module.css'
import { STATEMENT_LINES, type AccountClasses } from '../../../src/shared/account-classes'
import { accountClassesQuery } from './queries'
import { useMayWrite } from '../../lib/gate'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { FormError } from '../../ui/forms/form-error'
import { PageHeader } from '../../ui/page-header'
import { SectionCard } from '../../ui/section-card'
import { FormSkeleton } from '../../ui/skeletons'

const LINE_SECTIONS = [...new Set(STATEMENT_LINES.map(({ section }) => section))]
const LINE_OPTIONS = LINE_SECTIONS.map((section) => ({
  group: section,
  items: STATEMENT_LINES.filter((line) => line.section === section).map(({ id, label }) => ({ value: id, label })),
}))
const lineLabel = (id: string): string => STATEMENT_LINES.find((line) => line.id === id)?.label ?? id

interface AccountRangeRowProps {
  form: UseFormReturnType<AccountClassesValues>
  at: number
  readOnly: boolean
}

/** Accounts from … to …, and the line they belong to. */
function AccountRangeRow({ form, at, readOnly }: AccountRangeRowProps) {
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
      />
      <IconButton
        icon={IconTrash}
        iconSize={18}
        size="lg"
        label={`Remove range ${at + 1}`}
        onClick={() => form.removeListItem('ranges', at)}
      />
    </li>
  )
}

/** What the accounts of ledgers mean: which line of the statements each range belongs to. */
export function AccountsScreen() {
  const stored = useQuery(accountClassesQuery())
  return (
    <>
      <PageHeader title="Accounts" description="Map accounts to statement lines." />
      <QueryStatus query={stored} skeleton={<FormSkeleton />} />
      {stored.data && <AccountRangesForm stored={stored.data} />}
    </>
  )
}

function AccountRangesForm({ stored }: { stored: AccountClasses }) {
  const may = useMayWrite('edit:metric')
  const { form, saving, submit, reset } = useSaveAccountClasses(stored)
  const { ranges } = form.values
  return (
    <SectionCard
      title={stored.adjusted ? 'Custom ranges' : 'BAS chart of accounts'}
      description={describeRanges(stored)}
    >
      {saving.error && <FormError error={saving.error} />}
      <Stack gap="md" data-form>
        <ul className={classes.list} aria-label="Account ranges">
          {ranges.map(({ key }, at) => (
            <AccountRangeRow key={key} form={form} at={at} readOnly={!may} />
          ))}
        </ul>
        {ranges.length === 0 && <Text c="dimmed">No ranges yet</Text>}
        {may && (
          <Group gap="sm">
            <AddRangeButton form={form} />
            <Group gap="sm" ml="auto">
              {stored.adjusted && (
                <Button variant="default" onClick={() => confirmUseBasChart(reset)}>
                  Restore BAS chart
                </Button>
              )}
              <Button onClick={submit} loading={saving.isPending} disabled={!form.isDirty()}>
                Save accounts
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </SectionCard>
  )
}

const describeRanges = ({ adjusted }: AccountClasses): string =>
  adjusted ? 'Accounts outside these ranges belong to no line.' : 'Swedish standard. Your ledgers aren’t changed.'

function AddRangeButton({ form }: Pick<ReturnType<typeof useSaveAccountClasses>, 'form'>) {
  const [added, setAdded] = useState(0)
  const add = (): void => {
    setAdded(added + 1)
    form.insertListItem('ranges', { key: `new ${added}`, from: '', to: '', line: 'external' })
  }
  return (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
      Add range
    </Button>
  )
}

const confirmUseBasChart = (onConfirm: () => void): void =>
  confirmDestructive({
    title: 'Restore BAS chart?',
    message: 'Replaces your custom ranges. Can’t be undone.',
    confirm: 'Restore BAS chart',
    onConfirm,
  })
