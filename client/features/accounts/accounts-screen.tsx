import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './accounts.module.css'
import { accountClassesQuery } from './queries'
import { AccountRangeRow } from './range-row'
import { useSaveAccountClasses } from './use-accounts-saving'
import { useMayWrite } from '../../lib/gate'
import { confirmDestructive } from '../../ui/confirm-danger'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/form-error'
import { PageHeader } from '../../ui/page-header'
import { SectionCard } from '../../ui/section-card'
import { FormSkeleton } from '../../ui/skeletons'
import type { AccountClasses } from '../../../src/shared/account-classes'

/** What the accounts of ledgers mean: which line of the statements each range belongs to. */
export function AccountsScreen() {
  const stored = useQuery(accountClassesQuery())
  return (
    <>
      <PageHeader
        title="Accounts"
        description="Which line of the statements each account belongs to. Ledgers are read by it."
      />
      {stored.isPending && <FormSkeleton />}
      {stored.error && <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.data && <AccountRangesForm key={stored.data.version} stored={stored.data} />}
    </>
  )
}

function AccountRangesForm({ stored }: { stored: AccountClasses }) {
  const may = useMayWrite('edit:metric')
  const { form, saving, submit, reset } = useSaveAccountClasses(stored)
  const { ranges } = form.values
  return (
    <SectionCard
      title={stored.adjusted ? 'Your own ranges' : 'BAS chart of accounts'}
      description={describeRanges(stored)}
    >
      {saving.error && <FormError error={saving.error} />}
      <ul className={classes.list} aria-label="Ranges of accounts">
        {ranges.map(({ key }, at) => (
          <AccountRangeRow key={key} form={form} at={at} readOnly={!may} />
        ))}
      </ul>
      {ranges.length === 0 && (
        <Text c="dimmed">No account belongs to a line. Add a range, or go back to the chart.</Text>
      )}
      {may && (
        <Group gap="sm">
          <AddRangeButton form={form} />
          <Group gap="sm" ml="auto">
            {stored.adjusted && (
              <Button variant="default" onClick={() => confirmUseBasChart(reset)}>
                Use the BAS chart
              </Button>
            )}
            <Button onClick={submit} loading={saving.isPending} disabled={!form.isDirty()}>
              Save accounts
            </Button>
          </Group>
        </Group>
      )}
    </SectionCard>
  )
}

const describeRanges = ({ adjusted }: AccountClasses): string =>
  adjusted
    ? 'These ranges took the place of the BAS chart. An account that no range holds belongs to no line.'
    : 'As the Swedish BAS chart has them. Change what your books use in another way; nothing in the books is touched.'

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
    title: 'Use the BAS chart again?',
    message: 'Your own ranges are replaced by those of the chart.',
    confirm: 'Use the BAS chart',
    onConfirm,
  })
