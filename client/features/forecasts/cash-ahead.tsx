import { Button, Group, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconCoins } from '@tabler/icons-react'
import type { Forecast, ForecastListItem } from '../../../src/shared/forecasts'
import type { Metric, SuggestedMetric } from '../../../src/shared/metrics'
import type { ListPage } from '../../../src/shared/names'
import { readJson, api, idempotencyKey } from '../../lib/api'
import { metricsQuery } from '../../lib/filters/catalogue'
import { session } from '../../lib/session'
import { notifyError } from '../../ui/notify-refusal'
import { SectionCard } from '../../ui/section-card'
import { toForecastSettings, newFormValues } from './forecast-values'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'suggestions', session().workspace?.id],
    queryFn: async ({ signal }) =>
      (await readJson<ListPage<SuggestedMetric>>(api.api.metrics.suggestions.$get({}, { init: { signal } }))).items,
  })

/** As metrics of ledgers are suggested; one that was kept is known by its name. */
const isCash = ({ key }: SuggestedMetric): boolean => key.endsWith('.cash')
const CASH_NAME = /^Cash movements\b/

interface CashMetric {
  kept: Metric | null
  suggested: SuggestedMetric | null
}
/** The figure that cash follows: a metric that is there, or one that the workspace's ledger suggests. */
function useCashMetric(): CashMetric | null {
  const metrics = useQuery(metricsQuery())
  const suggested = useQuery(suggestionsQuery())
  const kept = metrics.data?.find(({ name }) => CASH_NAME.test(name)) ?? null
  if (kept) return { kept, suggested: null }
  const one = metrics.data ? suggested.data?.find(isCash) : undefined
  return one ? { kept: null, suggested: one } : null
}

/** From a ledger to its cash in the months to come, in one step: nothing is offered where there is no ledger. */
export function CashForecastCard({ forecasts }: { forecasts: readonly Pick<ForecastListItem, 'accumulate'>[] }) {
  const found = useCashMetric()
  const making = useCreateCashForecast()
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

function useCreateCashForecast() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: createCashForecast,
    onSuccess: ({ id }) => void navigate({ to: '/forecasts/$id', params: { id } }),
    onError: notifyError,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['metrics'] }),
        client.invalidateQueries({ queryKey: ['forecasts'] }),
      ]),
  })
}

async function createCashForecast({ kept, suggested }: CashMetric): Promise<Forecast> {
  const metric =
    kept ?? (suggested ? await readJson<Metric>(api.api.metrics.$post({ json: suggested.input }, once())) : null)
  const values = newFormValues(metric && { kind: 'metric', id: metric.id }, 'Cash ahead')
  const settings = toForecastSettings({ ...values, accumulate: true })
  if (!settings) throw new Error('There is no metric of cash.')
  const made = await readJson<Forecast>(api.api.forecasts.$post({ json: { ...settings, name: values.name } }, once()))
  const { id, version } = made
  const thresholds = [{ name: 'Cash floor', side: 'below' as const, value: 0 }]
  return readJson<Forecast>(
    api.api.forecasts[':id'].scenarios.$put({ param: { id }, json: { scenarios: [], thresholds, version } }, once()),
  )
}
