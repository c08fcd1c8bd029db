import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClock,
  IconEyeOff,
  IconHistory,
  IconInfoCircle,
  IconSnowflake,
} from '@tabler/icons-react'
import { describeRunFailure } from '../../../../src/shared/forecasts/run-failure-text'
import type { Forecast, ForecastRun } from '../../../../src/shared/forecasts/forecasts'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { UpgradeLine } from '../../../ui/upgrade-prompt'
import { useRunForecast } from '../queries'
import { notifyError } from '../../../ui/notify-error'

/** The newest run, or the newest that found something, was made by other rights to the rows than those of whoever looks. */
export const isRestricted = ({ state, lastRun, ready }: Forecast): boolean =>
  state !== 'draft' && lastRun === null && ready === null

interface NoticesProps {
  forecast: Forecast
  /** Previews it with the rights of whoever looks. */
  onPreview: () => void
  isPreviewed: boolean
  onEdit: () => void
}

/** What stands between a forecast and its newest figures, and what to do about it. */
export function ForecastNotices({ forecast, onPreview, isPreviewed, onEdit }: NoticesProps) {
  const { state, frozen, lastRun } = forecast
  const others = isRestricted(forecast)
  return (
    <>
      {frozen && <OverLimitNotice />}
      {others ? <RestrictedNotice forecast={forecast} onPreview={onPreview} isPreviewed={isPreviewed} /> : null}
      {!others && (state === 'queued' || state === 'running') && <InProgressNotice forecast={forecast} />}
      {!others && state === 'draft' && <NotRunNotice forecast={forecast} />}
      {state === 'stale' && !frozen && <StaleNotice forecast={forecast} />}
      {!others && lastRun?.trouble && (state === 'too_short' || state === 'failed') && (
        <FailureNotice forecast={forecast} run={lastRun} onEdit={onEdit} />
      )}
    </>
  )
}

function OverLimitNotice() {
  const format = useFormat()
  const max = useSession().workspace?.entitlements.features.activeForecasts ?? null
  return (
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} role="status" title="Over plan limit">
      <Text size="sm">
        {max !== null && `Your plan includes ${format.count(max)} active forecasts. `}
        You can view, export or delete it, but not run it.
      </Text>
      {max !== null && <UpgradeLine need={{ kind: 'limit', limit: 'activeForecasts', count: max + 1 }} />}
    </Alert>
  )
}

function RestrictedNotice({ forecast, onPreview, isPreviewed }: Omit<NoticesProps, 'onEdit'>) {
  return (
    <Alert color="blue" icon={<IconEyeOff aria-hidden />} role="status" title="Different data access">
      <Text size="sm">
        {isPreviewed
          ? 'Preview from the data you can access. Not saved.'
          : `${forecast.ownerName} can access other data than you, so the result is hidden.`}
      </Text>
      {!isPreviewed && (
        <Button size="compact-md" variant="default" mt="xs" onClick={onPreview}>
          Preview with my access
        </Button>
      )}
    </Alert>
  )
}

function InProgressNotice({ forecast }: { forecast: Forecast }) {
  const waits = forecast.state === 'queued'
  return (
    <Alert color="blue" icon={<Loader size={16} aria-hidden />} role="status" title={waits ? 'Queued' : 'Running'}>
      <Text size="sm">
        {forecast.ready ? 'Showing the previous run until it finishes.' : 'Results appear here when it finishes.'}
      </Text>
    </Alert>
  )
}

function RunNowButton({ forecast, label }: { forecast: Forecast; label: string }) {
  const may = useMayWrite('edit:forecast')
  const running = useRunForecast()
  if (!may) return null
  return (
    <Button
      size="compact-md"
      variant="default"
      loading={running.isPending}
      onClick={() => running.mutate(forecast.id, { onError: notifyError })}
    >
      {label}
    </Button>
  )
}

function NotRunNotice({ forecast }: { forecast: Forecast }) {
  return (
    <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status" title="Not run yet">
      <Group gap="xs" justify="space-between">
        <Text size="sm" style={{ flex: '1 1 16rem' }}>
          Run it to see the forecast and its backtest.
        </Text>
        <RunNowButton forecast={forecast} label="Run forecast" />
      </Group>
    </Alert>
  )
}

function StaleNotice({ forecast }: { forecast: Forecast }) {
  const format = useFormat()
  const made = forecast.ready?.finishedAt ?? forecast.ready?.startedAt ?? null
  return (
    <Alert color="yellow" icon={<IconClock aria-hidden />} role="status" title="Out of date">
      <Group gap="xs" justify="space-between">
        <Text size="sm" style={{ flex: '1 1 16rem' }}>
          Settings or data changed since the last run
          {made === null ? '' : ` on ${format.dateTime(made)}`}.
        </Text>
        <RunNowButton forecast={forecast} label="Run again" />
      </Group>
    </Alert>
  )
}

function FailureNotice({ forecast, run, onEdit }: { forecast: Forecast; run: ForecastRun; onEdit: () => void }) {
  const may = useMayWrite('edit:forecast')
  if (!run.trouble) return null
  const { title, advice } = describeRunFailure(run.trouble, forecast.grain)
  const isShort = forecast.state === 'too_short'
  return (
    <Alert color={isShort ? 'yellow' : 'red'} icon={<IconAlertTriangle aria-hidden />} role="alert" title={title}>
      <Text size="sm">
        {advice}
        {forecast.ready ? ' Showing the last successful run.' : ''}
      </Text>
      {may && (
        <Group gap="xs" mt="xs">
          <Button size="compact-md" variant="default" onClick={onEdit}>
            Edit forecast
          </Button>
          <RunNowButton forecast={forecast} label="Run again" />
        </Group>
      )}
    </Alert>
  )
}

/** An old run is on screen. */
export function OldRunNotice({ run, onLeave }: { run: ForecastRun; onLeave: () => void }) {
  const format = useFormat()
  return (
    <Alert color="blue" icon={<IconHistory aria-hidden />} role="status" title={`Run ${run.number}`}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" style={{ flex: '1 1 16rem' }}>
          {format.dateTime(run.finishedAt ?? run.startedAt)}
          {run.dataAsOf === null ? '' : `, data as of ${format.dateTime(run.dataAsOf)}`}
        </Text>
        <Button size="compact-md" variant="default" onClick={onLeave}>
          View latest run
        </Button>
      </Group>
    </Alert>
  )
}
