import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ReportingCurrencyCard } from './display-card'
import { OwnRatesCard } from './own-rates-card'
import { PublishedRatesCard } from './published-card'
import { currenciesQuery } from '../../lib/currency-calls'
import { useFormat } from '../../lib/format'
import { Gate } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'
import { UpgradePrompt } from '../../ui/upgrade-prompt'
import type { RatesOverview } from '../../../src/shared/currencies'

/** How amounts of several currencies become one: what they are shown in, by which rates, and what was set by hand. */
export function CurrencyScreen() {
  return (
    <>
      <PageHeader
        title="Currencies"
        description="Bring amounts of several currencies to one, and see by which rates."
      />
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
      title="Figures in one currency"
      sentence={`Amounts of several currencies are brought to one by daily rates. Without it, amounts stay as they are and the workspace shows ${own}.`}
    />
  )
}

function CurrencyCards() {
  const overview = useQuery(currenciesQuery())
  if (overview.isPending) return <FormSkeleton />
  if (!overview.data) return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
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

/** What of the published rates is missing or late. */
function RateWarnings({ overview }: { overview: RatesOverview }) {
  const format = useFormat()
  const { gaps, failingSince, last } = overview
  if (gaps.length === 0 && failingSince === null && last !== null) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Rates are missing" role="status">
      <Stack gap={4}>
        {last === null && <Text size="sm">No rates have come in yet. They are fetched once a day.</Text>}
        {failingSince !== null && (
          <Text size="sm">
            New rates could not be fetched since {format.dateTime(failingSince)}. The last ones stay in force.
          </Text>
        )}
        {gaps.map(({ from, to, days }) => (
          <Text size="sm" key={from}>
            None for {format.count(days)} days, from {format.date(from)} to {format.date(to)}. Amounts more than a week
            after the last rate are left out and counted; set a rate for them below.
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
