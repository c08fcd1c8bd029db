import { QueryError } from '../../ui/query-view'
import { Button, Select, SimpleGrid, Alert, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSaveSettings } from './queries'
import { useMayWrite, Gate } from '../../lib/gate'
import { currencyNameOptions } from '../../lib/regions'
import { FormError } from '../../ui/forms/form-error'
import { SectionCard } from '../../ui/section-card'
import { CURRENCY_MODE_SETTINGS, CURRENCY_MODE_LABELS } from '../../../src/shared/currencies'
import type { CurrencyModeSetting, RatesOverview } from '../../../src/shared/currencies'
import { OwnRatesCard } from './own-rates-card'
import { PublishedRatesCard } from './published-rates-card'
import { currenciesQuery } from '../../lib/queries/currency-queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'
import { UpgradePrompt } from '../../ui/upgrade-prompt'
import { FormFooter } from '../../ui/forms/form-footer'

const DEFAULT_MODE_LABELS: Record<CurrencyModeSetting, string> = {
  automatic: 'Automatic',
  ...CURRENCY_MODE_LABELS,
}
const DEFAULT_MODE_HINTS: Record<CurrencyModeSetting, string> = {
  automatic: 'Balances: month-end. Postings: monthly average. Others: daily.',
  transaction: 'Weekends and holidays use the last business day’s rate.',
  average: 'Mean of the month’s published rates',
  closing: 'Last rate of each month',
  budget: 'Budget rates only',
}

export function ReportingCurrencyCard({ overview }: { overview: RatesOverview }) {
  const may = useMayWrite('edit:rates')
  const { settings } = overview
  const form = useForm({ initialValues: { code: settings.code, mode: settings.mode } })
  const save = useSaveSettings()
  const choices = useMemo(() => currencyNameOptions(settings.code), [settings.code])
  const submit = form.onSubmit((values) =>
    save.mutate(
      { ...values, version: settings.version },
      { onSuccess: () => notifications.show({ color: 'green', message: 'Currency saved' }) },
    ),
  )
  return (
    <SectionCard title="Default conversion" description="For new insights; saved ones keep theirs.">
      <form onSubmit={submit} noValidate>
        <FormError error={save.error} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Select
            label="Currency"
            data={choices}
            searchable
            limit={60}
            readOnly={!may}
            {...form.getInputProps('code')}
          />
          <Select
            label="Rate type"
            description={DEFAULT_MODE_HINTS[form.values.mode]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={CURRENCY_MODE_SETTINGS.map((value) => ({ value, label: DEFAULT_MODE_LABELS[value] }))}
            readOnly={!may}
            {...form.getInputProps('mode')}
          />
        </SimpleGrid>
        {may && (
          <FormFooter mt="md">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save currency
            </Button>
          </FormFooter>
        )}
      </form>
    </SectionCard>
  )
}

export function CurrencyScreen() {
  return (
    <>
      <PageHeader title="Currencies" />
      <Gate needs="multiCurrency" otherwise={<CurrencyUpgrade />}>
        <CurrencyCards />
      </Gate>
    </>
  )
}

function CurrencyUpgrade() {
  const own = useSession().workspace?.settings.currency ?? 'EUR'
  return (
    <UpgradePrompt
      need={{ kind: 'gate', gate: 'multiCurrency' }}
      title="Convert currencies"
      sentence={`See all amounts in one currency, by daily rates. Now shown: ${own}.`}
    />
  )
}

function CurrencyCards() {
  const overview = useQuery(currenciesQuery())
  if (overview.isPending) return <FormSkeleton />
  if (!overview.data) return <QueryError query={overview} />
  return (
    <Stack gap="lg">
      <RateWarnings overview={overview.data} />
      <ReportingCurrencyCard key={overview.data.settings.version} overview={overview.data} />
      <OwnRatesCard kind="override" overview={overview.data} />
      <OwnRatesCard kind="budget" overview={overview.data} />
      <PublishedRatesCard overview={overview.data} />
    </Stack>
  )
}

function RateWarnings({ overview }: { overview: RatesOverview }) {
  const format = useFormat()
  const { gaps, failingSince, last } = overview
  if (gaps.length === 0 && failingSince === null && last !== null) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Missing rates" role="status">
      <Stack gap={4}>
        {last === null && <Text size="sm">No rates yet. Updated daily.</Text>}
        {failingSince !== null && (
          <Text size="sm">Couldn’t update rates since {format.dateTime(failingSince)}. The last ones are used.</Text>
        )}
        {gaps.map(({ from, to, days }) => (
          <Text size="sm" key={from}>
            {format.date(from)} – {format.date(to)}: no rates for {format.count(days)} days. Amounts over a week after
            the last rate are excluded.
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
