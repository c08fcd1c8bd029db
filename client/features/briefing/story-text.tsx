import { Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { Finding } from '../../../src/shared/findings'
import { bucketLabel } from '../../../src/shared/figures/cell-formatter'
import { useCellFormatter } from '../../lib/cell-formatter'
import { sentenceSegments } from '../../lib/findings/finding-text'
import classes from './briefing.module.css'

const TONES = {
  good: { Icon: IconCircleCheck, words: 'Favourable' },
  bad: { Icon: IconAlertTriangle, words: 'Unfavourable' },
  neutral: { Icon: IconInfoCircle, words: 'Neutral' },
} as const

/** Whether it is good or bad, as a sign with words. */
export function ToneIcon({ tone }: Pick<Finding, 'tone'>) {
  const { Icon, words } = TONES[tone]
  return <Icon size={18} role="img" aria-label={words} className={classes.tone ?? ''} data-tone={tone} />
}

/** A finding's sentence; figures and names stand out. */
export function StorySentence({ finding }: { finding: Finding }) {
  const format = useCellFormatter()
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {sentenceSegments(finding, format).map(({ text, strong }, at) => (strong ? <b key={at}>{text}</b> : text))}
    </Text>
  )
}

/** "Data to 30 Dec 2022". */
export const describeDataEnd = (day: string): string => `Data to ${bucketLabel(day, 'day')}`
