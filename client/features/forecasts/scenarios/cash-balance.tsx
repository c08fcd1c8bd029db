import { FormDialog } from '../../../ui/forms/form-dialog'
import { workspaceId } from '../../../lib/session'
import { itemsQuery } from '../../../lib/queries/query-options'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconCoins } from '@tabler/icons-react'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { Forecast, ForecastListItem } from '../../../../src/shared/forecasts/forecasts'
import type { Metric, SuggestedMetric } from '../../../../src/shared/metrics'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { TERMS } from '../../../../src/shared/terms'
import { metricsQuery } from '../../../lib/query-builder/catalogue'
import { notifyError } from '../../../ui/notify-error'
import { SectionCard } from '../../../ui/section-card'
import { toForecastSettings, newFormValues, forecastUpdate } from '../form/form-values'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import { NumberField } from '../../../ui/forms/number-field'
import { FormError } from '../../../ui/forms/form-error'
import { useUpdateForecast } from '../queries'
import { useToday } from '../forecast-format'

const suggestionsQuery = () =>
  itemsQuery<SuggestedMetric>(['metrics', 'suggestions', workspaceId()], (options) =>
    api.api.metrics.suggestions.$get({}, options),
  )

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
    <SectionCard title="Cash forecast" description="See when cash could run out.">
      <Group gap="sm">
        <Button
          leftSection={<IconCoins size={16} aria-hidden />}
          loading={making.isPending}
          onClick={() => making.mutate(found)}
        >
          Forecast cash
        </Button>
        <Text size="sm" c="dimmed">
          {found.suggested === null
            ? 'Uses the metric Cash movements.'
            : `Creates the metric Cash movements (${found.suggested.reason.replace(/\.$/, '')}).`}
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
    kept ??
    (suggested ? await readJson<Metric>(api.api.metrics.$post({ json: suggested.input }, withIdempotencyKey())) : null)
  const values = newFormValues(metric && { kind: 'metric', id: metric.id }, 'Cash forecast')
  const settings = toForecastSettings({ ...values, accumulate: true })
  if (!settings) throw new Error('Cash metric not found.')
  const made = await readJson<Forecast>(
    api.api.forecasts.$post({ json: { ...settings, name: values.name } }, withIdempotencyKey()),
  )
  const { id, version } = made
  const thresholds = [{ name: TERMS.minimumCash, side: 'below' as const, value: 0 }]
  return readJson<Forecast>(
    api.api.forecasts[':id'].scenarios.$put(
      { param: { id }, json: { scenarios: [], thresholds, version } },
      withIdempotencyKey(),
    ),
  )
}

interface CashBalanceProps {
  forecast: Forecast
  result: ForecastResult
  /** Adds a threshold to the work on the page. */
  onFloor: (floor: number) => void
}

/** Offers to show movements as the balance that they add up to. Nothing where it is one, or where figures do not add up. */
export function CashBalanceButton({ forecast, result, onFloor }: CashBalanceProps) {
  const [asking, dialog] = useDisclosure(false)
  if (result.balance || forecast.accumulate !== null || result.additive === false) return null
  if (result.format.style !== 'currency') return null
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconCoins size={14} aria-hidden />} onClick={dialog.open}>
        Show as cash balance
      </Button>
      {asking && <CashBalanceDialog {...{ forecast, result, onFloor }} onClose={dialog.close} />}
    </>
  )
}

const numberOf = (typed: number | string): number | null => {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? number : null
}

/** A balance that is entered is that of this morning: what moved since the forecast begins is taken off by the server. */
function toAccumulate(typed: number | string, today: string): NonNullable<Forecast['accumulate']> {
  const opening = numberOf(typed)
  return { opening, on: opening === null ? null : today }
}

function CashBalanceDialog({ forecast, result, onFloor, onClose }: CashBalanceProps & { onClose: () => void }) {
  const [opening, setOpening] = useState<number | string>('')
  const [floor, setFloor] = useState<number | string>(0)
  const today = useToday()
  const saving = useUpdateForecast()
  const suffix = result.format.style === 'currency' ? `\u00a0${result.format.currency}` : ''
  const shared = { suffix, hideControls: true }
  return (
    <FormDialog
      title="Show as cash balance"
      submit="Show balance"
      pending={saving.isPending}
      onSubmit={() => {
        saving.mutate(forecastUpdate(forecast, { accumulate: toAccumulate(opening, today) }), {
          onSuccess: () => {
            const level = numberOf(floor)
            if (level !== null) onFloor(level)
            onClose()
          },
        })
      }}
      onClose={onClose}
    >
      <Text size="sm">The forecast runs again as a running balance.</Text>
      <NumberField
        label="Opening balance today"
        placeholder="From the ledger or history"
        value={opening}
        onChange={setOpening}
        data-autofocus
        {...shared}
      />
      <NumberField label={TERMS.minimumCash} placeholder="None" value={floor} onChange={setFloor} {...shared} />
      <FormError error={saving.error} />
    </FormDialog>
  )
}
