import { Badge, Tooltip } from '@mantine/core'
import { GRADE_WORDS } from '../../../src/shared/forecast-card-words'
import type { Grade } from '../../../src/shared/forecast-result'

const COLOURS: Record<Grade, string> = { A: 'green', B: 'teal', C: 'yellow', D: 'red' }

/** How well forecasts of the past did, as a letter with its meaning; nothing where there is no grade. */
export function GradeBadge({ grade }: { grade: Grade | null }) {
  if (grade === null) return null
  return (
    <Tooltip label={`Tried on the past, it is ${GRADE_WORDS[grade]}.`} multiline maw={280} events={TOUCHED}>
      <Badge
        variant="light"
        color={COLOURS[grade]}
        tt="none"
        tabIndex={0}
        aria-label={`Grade ${grade}: ${GRADE_WORDS[grade]}`}
        style={{ flex: 'none' }}
        role="img"
      >
        Grade {grade}
      </Badge>
    </Tooltip>
  )
}
const TOUCHED = { hover: true, focus: true, touch: true }
