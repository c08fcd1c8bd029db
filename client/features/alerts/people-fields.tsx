import { MultiSelect, NumberInput, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { RECEIVERS_MAX, REMINDER_DAYS_MAX } from '../../../src/shared/alerts'
import type { AlertFormValues } from './alert-values'
import { alertRecipientsQuery } from './queries'

/** Who gets the mails. */
export function RecipientFields({ form }: { form: UseFormReturnType<AlertFormValues> }) {
  const people = useQuery(alertRecipientsQuery())
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <MultiSelect
        label="Who is told by mail"
        placeholder={form.values.receivers.length === 0 ? 'Nobody' : ''}
        searchable
        maxValues={RECEIVERS_MAX}
        data={(people.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
        {...form.getInputProps('receivers')}
      />
      <NumberInput
        label="Remind every"
        placeholder="No reminder"
        suffix=" days"
        min={1}
        max={REMINDER_DAYS_MAX}
        allowDecimal={false}
        {...form.getInputProps('reminderDays')}
      />
    </SimpleGrid>
  )
}
