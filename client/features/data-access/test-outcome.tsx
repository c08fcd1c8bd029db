import { Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { AccessTestResult } from '../../../src/shared/data-access/data-access'
import { describeFound } from './access-text'
import classes from './data-access.module.css'

/** A sign and words: passed, or what was found instead. */
export function TestOutcome({ result }: { result: AccessTestResult | undefined }) {
  if (!result) return null
  const { passes } = result
  const [Icon, colour] = passes ? [IconCircleCheck, 'var(--good)'] : [IconCircleX, 'var(--bad)']
  return (
    <Text size="sm" className={classes.result} style={{ color: colour }}>
      <Icon size={16} aria-hidden />
      {passes ? 'Passed' : `Failed: ${describeFound(result).toLowerCase()}`}
    </Text>
  )
}
