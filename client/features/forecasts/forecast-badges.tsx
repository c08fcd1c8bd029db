import { Badge, Tooltip } from '@mantine/core'
import type { AccuracyGrade } from '../../../src/shared/forecasts/result'
import { describeGrade } from '../../../src/shared/forecasts/model-card-text'
import { capitalize } from '../../../src/shared/text'
import { useFormat } from '../../lib/format'
import type { Formatter } from '../../../src/shared/figures/formatter'
import type { Forecast, ForecastState } from '../../../src/shared/forecasts/forecasts'

/** Up to which mean scaled error of the backtest a grade goes. */
const GRADE_MASE: Record<AccuracyGrade, number> = { A: 0.7, B: 0.9, C: 1, D: 1 }
/** “MASE below 0,7”. */
export function gradeMeaning(grade: AccuracyGrade, { decimal }: Pick<Formatter, 'decimal'>): string {
  const edge = decimal(GRADE_MASE[grade])
  return grade === 'D' ? `MASE ${edge} or more` : `MASE below ${edge}`
}
const GRADE_COLOURS: Record<AccuracyGrade, string> = { A: 'green', B: 'teal', C: 'yellow', D: 'red' }

/** How well forecasts of the past did, as a letter with its meaning; nothing where there is no grade. */
export function GradeBadge({ grade }: { grade: AccuracyGrade | null }) {
  const format = useFormat()
  if (grade === null) return null
  const meaning = gradeMeaning(grade, format)
  return (
    <Tooltip label={`${capitalize(describeGrade(grade))} (${meaning})`} multiline maw={280} events={TOOLTIP_EVENTS}>
      <Badge
        color={GRADE_COLOURS[grade]}
        tabIndex={0}
        aria-label={`Grade ${grade}: ${meaning}`}
        style={{ flex: 'none' }}
        role="img"
      >
        Grade {grade}
      </Badge>
    </Tooltip>
  )
}
const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true }

/** States to know of; one that is ready has nothing to say. */
const STATE_BADGES: Record<Exclude<ForecastState, 'ready'>, { color: string; words: string }> = {
  draft: { color: 'gray', words: 'Not run yet' },
  queued: { color: 'blue', words: 'Queued' },
  running: { color: 'blue', words: 'Running' },
  too_short: { color: 'yellow', words: 'Not enough history' },
  failed: { color: 'red', words: 'Failed' },
  stale: { color: 'yellow', words: 'Out of date' },
}

/** The state of a forecast, where there is something to know. */
export function ForecastStateBadge({ forecast }: { forecast: Pick<Forecast, 'state' | 'frozen'> }) {
  const { state, frozen } = forecast
  const look = frozen ? { color: 'cyan', words: 'Over plan limit' } : state === 'ready' ? null : STATE_BADGES[state]
  if (look === null) return null
  return (
    <Badge color={look.color} style={{ flex: 'none' }}>
      {look.words}
    </Badge>
  )
}
