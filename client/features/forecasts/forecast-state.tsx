import { Badge } from '@mantine/core'
import type { Forecast, ForecastState } from '../../../src/shared/forecasts'

/** States that somebody should know of; one that is ready has nothing to say. */
const STATE_BADGES: Record<Exclude<ForecastState, 'ready'>, { color: string; words: string }> = {
  draft: { color: 'gray', words: 'Not computed yet' },
  queued: { color: 'blue', words: 'Waiting' },
  running: { color: 'blue', words: 'Computing' },
  too_short: { color: 'yellow', words: 'Too little history' },
  failed: { color: 'red', words: 'Could not be computed' },
  stale: { color: 'yellow', words: 'Older than its figures' },
}

/** The state of a forecast, where there is something to know. */
export function ForecastStateBadge({ forecast }: { forecast: Pick<Forecast, 'state' | 'frozen'> }) {
  const { state, frozen } = forecast
  const look = frozen ? { color: 'cyan', words: 'Frozen' } : state === 'ready' ? null : STATE_BADGES[state]
  if (look === null) return null
  return (
    <Badge variant="light" color={look.color} tt="none" style={{ flex: 'none' }}>
      {look.words}
    </Badge>
  )
}
