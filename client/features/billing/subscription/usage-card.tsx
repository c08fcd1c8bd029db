import { Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useId } from 'react'
import { isPlannedLimit, type LimitName } from '../../../../src/shared/billing/plans'
import type { LimitUsage } from '../../../../src/shared/billing/subscription'
import classes from './subscription.module.css'
import { useFormat } from '../../../lib/format'
import { limitTitle } from '../../../lib/plan/plan-labels'
import { SectionCard } from '../../../ui/section-card'

/** What a count holds beside what its name says. */
const USAGE_NOTES: Partial<Record<LimitName, string>> = { users: 'Includes pending invitations' }

export type UsageLevel = 'fine' | 'near' | 'full' | 'over' | 'none' | 'unlimited'
/** From this share on a limit is called near. */
const NEAR_LIMIT_SHARE = 0.8

/** How full a meter is. `none`: the plan has none of it. */
export function usageLevel({ used, max }: Pick<LimitUsage, 'used' | 'max'>): UsageLevel {
  if (max === null) return 'unlimited'
  if (used > max) return 'over'
  if (max === 0) return 'none'
  if (used === max) return 'full'
  // One place on its own is free or taken, not nearly full.
  return used / max >= NEAR_LIMIT_SHARE ? 'near' : 'fine'
}

const LEVEL_TEXT: Partial<Record<UsageLevel, (left: number) => string>> = {
  over: (left) => `${-left} over limit`,
  full: () => 'Limit reached',
  near: (left) => `${left} left`,
  none: () => 'Not included',
}
/** The level in words; null where it needs none. */
export function describeUsageLevel({ used, max }: Pick<LimitUsage, 'used' | 'max'>): string | null {
  const left = (max ?? 0) - used
  return LEVEL_TEXT[usageLevel({ used, max })]?.(left) ?? null
}

export interface UsageCardProps {
  meters: readonly LimitUsage[]
  /** Whether the limits of a plan are in force; without one there is none to be near to. */
  hasLimits: boolean
}

/** Every limit of the plan that something counts against, and how much of it is used. */
export function UsageCard({ meters, hasLimits }: UsageCardProps) {
  const shown = meters.filter(({ limit }) => !isPlannedLimit(limit))
  return (
    <SectionCard
      title="Usage"
      {...(hasLimits && shown.some(isFull) ? { description: 'At a limit you can’t add more. No extra charges.' } : {})}
    >
      <ul className={classes.meters}>
        {shown.map((meter) =>
          hasLimits ? <UsageRow key={meter.limit} meter={meter} /> : <UsageCount key={meter.limit} meter={meter} />,
        )}
      </ul>
    </SectionCard>
  )
}

const isFull = ({ used, max }: LimitUsage): boolean => max !== null && max > 0 && used >= max

function UsageCount({ meter: { limit, used } }: { meter: LimitUsage }) {
  const format = useFormat()
  return (
    <li className={classes.meterHead}>
      <span className={classes.meterName}>{limitTitle(limit)}</span>
      <span className="figure">{format.count(used)}</span>
    </li>
  )
}

const LEVEL_COLORS: Record<UsageLevel, string> = {
  fine: 'accent',
  unlimited: 'accent',
  none: 'gray',
  near: 'yellow',
  full: 'yellow',
  over: 'red',
}
const LEVEL_ICONS: Partial<Record<UsageLevel, typeof IconInfoCircle>> = {
  near: IconInfoCircle,
  full: IconInfoCircle,
  over: IconAlertTriangle,
}

function UsageRow({ meter }: { meter: LimitUsage }) {
  const format = useFormat()
  const id = useId()
  const { used, max, resetsAt } = meter
  const level = usageLevel(meter)
  const words = describeUsageLevel(meter)
  const resetText = max === null || resetsAt === null ? undefined : `Resets ${format.day(resetsAt)}`
  const note = resetText ?? USAGE_NOTES[meter.limit]
  const Sign = LEVEL_ICONS[level]
  return (
    <li className={classes.meter}>
      <div className={classes.meterHead}>
        <span className={classes.meterName} id={id}>
          {limitTitle(meter.limit)}
        </span>
        <span className="figure">{formatUsage(meter, format.count)}</span>
      </div>
      {max !== null && max > 0 && (
        <Progress.Root size={6}>
          <Progress.Section
            value={Math.min(100, (used / max) * 100)}
            color={LEVEL_COLORS[level]}
            aria-labelledby={id}
            aria-valuetext={`${used} of ${max}`}
          />
        </Progress.Root>
      )}
      {max === null && (
        <Text size="xs" c="dimmed" className={classes.meterNote}>
          <IconCircleCheck size={14} aria-hidden /> Unlimited
        </Text>
      )}
      {(words !== null || note !== undefined) && (
        <Text size="xs" className={classes.meterNote} data-level={level}>
          {Sign && <Sign size={14} aria-hidden />}
          {[words, note].filter(Boolean).join(' · ')}
        </Text>
      )}
    </li>
  )
}

function formatUsage({ used, max }: LimitUsage, count: (value: number) => string): string {
  if (max === null) return count(used)
  return max === 0 && used === 0 ? 'none' : `${count(used)} of ${count(max)}`
}
