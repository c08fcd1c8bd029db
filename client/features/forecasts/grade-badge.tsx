import { Badge, Tooltip } from '@mantine/core'
import type { AccuracyGrade } from '../../../src/shared/forecast-result'

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
        variant="light"
        color={GRADE_COLOURS[grade]}
        tt="none"
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
