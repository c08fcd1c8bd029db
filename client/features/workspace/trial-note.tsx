import { Text, Tooltip } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import classes from './app-layout.module.css'
import { isTrialEndingSoon, describeTrial } from './trial-words'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { SUBSCRIPTION_PAGE } from '../../lib/upgrade'

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
