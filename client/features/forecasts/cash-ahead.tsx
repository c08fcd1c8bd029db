import { Button, Group, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconCoins } from '@tabler/icons-react'
import type { Forecast, ForecastCard } from '../../../src/shared/forecasts'
import type { Metric, SuggestedMetric } from '../../../src/shared/metrics'
import type { Page } from '../../../src/shared/names'
import { answer, api, idempotencyKey } from '../../lib/api'
import { metricsQuery } from '../../lib/filters/catalogue'
import { session } from '../../lib/session'
import { notifyRefusal } from '../../ui/notify-refusal'
import { SectionCard } from '../../ui/section-card'
import { forecastSettingsOf, newForecastValues } from './forecast-values'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'suggestions', session().workspace?.id],
    queryFn: async ({ signal }) =>
      (await answer<Page<SuggestedMetric>>(api.api.metrics.suggestions.$get({}, { init: { signal } }))).items,
  })

/** As metrics of ledgers are suggested; one that was kept is known by its name. */
const isCash = ({ key }: SuggestedMetric): boolean => key.endsWith('.cash')
const CASH_NAME = /^Cash movements\b/

interface Found {
  kept: Metric | null
  suggested: SuggestedMetric | null
}
/** The figure that cash follows: a metric that is there, or one that the workspace's ledger suggests. */
function useCash(): Found | null {
  const metrics = useQuery(metricsQuery())
  const suggested = useQuery(suggestionsQuery())
  const kept = metrics.data?.find(({ name }) => CASH_NAME.test(name)) ?? null
  if (kept) return { kept, suggested: null }
  const one = metrics.data ? suggested.data?.find(isCash) : undefined
  return one ? { kept: null, suggested: one } : null
}

/** From a ledger to its cash in the months to come, in one step: nothing is offered where there is no ledger. */
export function CashAhead({ forecasts }: { forecasts: readonly Pick<ForecastCard, 'accumulate'>[] }) {
  const found = useCash()
  const making = useMake()
  if (!found || forecasts.some(({ accumulate }) => accumulate !== null)) return null
  return (
    <SectionCard
      title="Cash ahead"
      description="From the balance in your books on, movement by movement: when would the cash run out?"
    >
      <Group gap="sm">
        <Button
          leftSection={<IconCoins size={16} aria-hidden />}
          loading={making.isPending}
          onClick={() => making.mutate(found)}
        >
          Forecast the cash
        </Button>
        <Text size="sm" c="dimmed">
          {found.suggested === null
            ? 'Made from the metric Cash movements, with a cash floor at 0.'
            : `Keeps the metric Cash movements (${found.suggested.reason.replace(/\.$/, '')}) and sets a cash floor at 0.`}
        </Text>
      </Group>
    </SectionCard>
  )
}

function useMake() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: makeCash,
    onSuccess: ({ id }) => void navigate({ to: '/forecasts/$id', params: { id } }),
    onError: notifyRefusal,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['metrics'] }),
        client.invalidateQueries({ queryKey: ['forecasts'] }),
      ]),
  })
}

async function makeCash({ kept, suggested }: Found): Promise<Forecast> {
  const metric =
    kept ?? (suggested ? await answer<Metric>(api.api.metrics.$post({ json: suggested.input }, once())) : null)
  const values = newForecastValues(metric && { kind: 'metric', id: metric.id }, 'Cash ahead')
  const settings = forecastSettingsOf({ ...values, accumulate: true })
  if (!settings) throw new Error('There is no metric of cash.')
  const made = await answer<Forecast>(api.api.forecasts.$post({ json: { ...settings, name: values.name } }, once()))
  const { id, version } = made
  const thresholds = [{ name: 'Cash floor', side: 'below' as const, value: 0 }]
  return answer<Forecast>(
    api.api.forecasts[':id'].scenarios.$put({ param: { id }, json: { scenarios: [], thresholds, version } }, once()),
  )
}
