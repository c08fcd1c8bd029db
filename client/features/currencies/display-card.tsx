import { Button, Group, Select, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useSaveSettings } from './queries'
import { useMayWrite } from '../../lib/gate'
import { currencyNameOptions } from '../../lib/region-choices'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { CURRENCY_MODE_SETTINGS, CURRENCY_MODE_LABELS } from '../../../src/shared/currencies'
import type { CurrencyModeSetting, RatesOverview } from '../../../src/shared/currencies'

const DEFAULT_MODE_LABELS: Record<CurrencyModeSetting, string> = {
  automatic: 'By what the figures are',
  ...CURRENCY_MODE_LABELS,
}
const DEFAULT_MODE_HINTS: Record<CurrencyModeSetting, string> = {
  automatic:
    'Balances of a ledger by the last rate of the month, its postings by the month’s average, all else by the day.',
  transaction: 'Weekends and holidays take the rate of the last business day, at most seven days back.',
  average: 'The mean of the days of each month that have a rate.',
  closing: 'The last rate of each month.',
  budget: 'Only rates set as budget rates count.',
}

/** What converted figures are shown in unless an insight says otherwise. */
export function ReportingCurrencyCard({ overview }: { overview: RatesOverview }) {
  const may = useMayWrite('edit:rates')
  const { settings } = overview
  const form = useForm({ initialValues: { code: settings.code, mode: settings.mode } })
  const save = useSaveSettings()
  const choices = useMemo(() => currencyNameOptions(settings.code), [settings.code])
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
            description={DEFAULT_MODE_HINTS[form.values.mode]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={CURRENCY_MODE_SETTINGS.map((value) => ({ value, label: DEFAULT_MODE_LABELS[value] }))}
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
