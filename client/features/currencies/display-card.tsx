import { Button, Group, Select, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useSaveSettings } from './queries'
import { useMayNow } from '../../lib/gate'
import { currencyChoices } from '../../lib/region-choices'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { DEFAULT_MODES, MODE_WORDS } from '../../../src/shared/currencies'
import type { DefaultMode, RatesOverview } from '../../../src/shared/currencies'

const WORDS: Record<DefaultMode, string> = { automatic: 'By what the figures are', ...MODE_WORDS }
const HINTS: Record<DefaultMode, string> = {
  automatic:
    'Balances of a ledger by the last rate of the month, its postings by the month’s average, all else by the day.',
  transaction: 'Weekends and holidays take the rate of the last business day, at most seven days back.',
  average: 'The mean of the days of each month that have a rate.',
  closing: 'The last rate of each month.',
  budget: 'Only rates set as budget rates count.',
}

/** What converted figures are shown in unless an insight says otherwise. */
export function DisplayCard({ overview }: { overview: RatesOverview }) {
  const may = useMayNow('edit:rates')
  const { settings } = overview
  const form = useForm({ initialValues: { code: settings.code, mode: settings.mode } })
  const save = useSaveSettings()
  const choices = useMemo(() => currencyChoices(settings.code), [settings.code])
  const submit = form.onSubmit((values) =>
    save.mutate(
      { ...values, version: settings.version },
      { onSuccess: () => notifications.show({ color: 'green', message: 'Currency saved.' }) },
    ),
  )
  return (
    <SectionCard
      title="Converted figures"
      description="What new insights propose. Saved insights keep what was chosen for them."
    >
      <form onSubmit={submit} noValidate>
        <FormError error={save.error} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Select
            label="Currency"
            data={choices}
            searchable
            limit={60}
            allowDeselect={false}
            readOnly={!may}
            {...form.getInputProps('code')}
          />
          <Select
            label="Rates"
            description={HINTS[form.values.mode]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={DEFAULT_MODES.map((value) => ({ value, label: WORDS[value] }))}
            allowDeselect={false}
            readOnly={!may}
            {...form.getInputProps('mode')}
          />
        </SimpleGrid>
        {may && (
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save currency
            </Button>
          </Group>
        )}
      </form>
    </SectionCard>
  )
}
