import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LimitName } from '../../src/shared/billing/plans'
import { useFormat } from '../lib/format'
import { useSession } from '../lib/session'
import { UpgradeLine } from './upgrade-prompt'

export interface OverLimitNoticeProps {
  /** What is beyond the plan: "grouping". */
  thing: string
  limit: LimitName
  /** What the plan includes: "groupings". */
  unit: (max: number) => string
  /** How many there are, as far as that is known. */
  count?: number
  /** What goes on, and what brings it back. */
  children: ReactNode
}

/** Why a thing cannot be changed: the plan has no room for it. Nothing where the plan sets no limit. */
export function OverLimitNotice({ thing, limit, unit, count = 0, children }: OverLimitNoticeProps) {
  const format = useFormat()
  const max = useSession().workspace?.entitlements.features[limit] ?? null
  if (max === null) return null
  return (
    <Alert
      color="yellow"
      icon={<IconSnowflake aria-hidden />}
      role="status"
      title={`This ${thing} is over the plan limit`}
    >
      <Text size="sm">
        Your plan includes {format.count(max)} {unit(max)}. {children}
      </Text>
      <UpgradeLine need={{ kind: 'limit', limit, count: Math.max(max + 1, count) }} />
    </Alert>
  )
}
