import { Badge, Tooltip } from '@mantine/core'
import type { AccuracyGrade } from '../../../src/shared/forecasts/result'
import type { Forecast, ForecastState } from '../../../src/shared/forecasts/forecasts'

/** What a grade stands for, whatever the method: a mean scaled error below 0.7, 0.9, 1, or no such. */
export const GRADE_MEANING: Record<AccuracyGrade, string> = {
  A: 'tried on the past, it missed by less than 70 % of the usual change from one season to the next',
  B: 'tried on the past, it missed by less than 90 % of the usual change from one season to the next',
  C: 'tried on the past, it missed by less than the usual change from one season to the next',
  D: 'tried on the past, it did no better than repeating last season usually does',
}
const GRADE_COLOURS: Record<AccuracyGrade, string> = { A: 'green', B: 'teal', C: 'yellow', D: 'red' }

/** How well forecasts of the past did, as a letter with its meaning; nothing where there is no grade. */
export function GradeBadge({ grade }: { grade: AccuracyGrade | null }) {
  if (grade === null) return null
  return (
    <Tooltip label={`Grade ${grade}: ${GRADE_MEANING[grade]}.`} multiline maw={280} events={TOOLTIP_EVENTS}>
      <Badge
        color={GRADE_COLOURS[grade]}
        tabIndex={0}
        aria-label={`Grade ${grade}: ${GRADE_MEANING[grade]}`}
        style={{ flex: 'none' }}
        role="img"
      >
        Grade {grade}
      </Badge>
    </Tooltip>
  )
}
const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true }

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
    <Badge color={look.color} style={{ flex: 'none' }}>
      {look.words}
    </Badge>
  )
}
