import { Text, Tooltip } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DAY_MS } from '../../../src/shared/dates'
import type { Entitlements } from '../../../src/shared/billing/entitlements'
import classes from './app-layout.module.css'
import { daysUntil } from '../../../src/shared/figures/formatter'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { SUBSCRIPTION_PAGE } from '../../lib/plan/upgrade-offer'

/** How long before its end a trial is pointed out rather than mentioned. */
const TRIAL_ENDING_MS = 2 * DAY_MS

/** Whether little of the trial is left, or nothing. `now` in epoch ms. */
const isTrialEndingSoon = (given: Pick<Entitlements, 'state' | 'trialEndsAt'> | null, now: number): boolean =>
  given?.state === 'trial_expired' ||
  (given?.state === 'trialing' && given.trialEndsAt !== null && given.trialEndsAt - now <= TRIAL_ENDING_MS)

/** "Trial: 5 days left", or null when the workspace is on no trial. `now` in epoch ms. */
export function describeTrial(given: Pick<Entitlements, 'state' | 'trialEndsAt'> | null, now: number): string | null {
  if (given?.state === 'trial_expired') return 'Trial ended'
  if (given?.state !== 'trialing' || given.trialEndsAt === null) return null
  const days = daysUntil(given.trialEndsAt, now)
  if (days <= 0) return 'Trial ended'
  return days === 1 ? 'Trial: last day' : `Trial: ${days} days left`
}

/** How long the trial lasts, and for whom may choose a plan the way there; plainer to see in its last days. */
export function TrialNote({ collapsed }: { collapsed: boolean }) {
  const { workspace, config } = useSession()
  const entitlements = workspace?.entitlements ?? null
  const mayChoose = useMay('edit:subscription') && config.billing !== 'off'
  // Read once: the shell is drawn anew often, the day changes rarely.
  const [now] = useState(() => Date.now())
  const words = describeTrial(entitlements, now)
  if (words === null) return null
  const soon = isTrialEndingSoon(entitlements, now)
  if (!mayChoose)
    return collapsed ? null : (
      <Text size="xs" c="dimmed" pl={8}>
        {words}
      </Text>
    )
  return (
    <Tooltip label={`${words}. Choose a plan`} position="right" disabled={!collapsed}>
      <Link to={SUBSCRIPTION_PAGE} className={classes.trial} data-soon={soon || undefined}>
        <IconClock size={16} stroke={1.7} aria-hidden />
        <span className={classes.linkLabel}>
          {words}
          <span className={classes.trialWay}>Choose a plan</span>
        </span>
      </Link>
    </Tooltip>
  )
}
