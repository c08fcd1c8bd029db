import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconBell, IconBellOff, IconCheck, IconEye, IconPlayerPause } from '@tabler/icons-react'
import type { Alert, AlertState } from '../../../src/shared/alerts'

const STATE_DISPLAY: Record<AlertState, { color: string; words: string; icon: typeof IconBell }> = {
  ok: { color: 'green', words: 'OK', icon: IconCheck },
  open: { color: 'red', words: 'Open', icon: IconBell },
  acknowledged: { color: 'yellow', words: 'Acknowledged', icon: IconEye },
}

/** A state by colour, sign and word. */
export function StateBadge({ state }: { state: AlertState }) {
  const { color, words, icon: Icon } = STATE_DISPLAY[state]
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
      style={{ flex: 'none' }}
    >
      {words}
    </Badge>
  )
}

/** Its state, and what keeps it from being evaluated or from speaking. */
export function AlertBadges({ alert }: { alert: Pick<Alert, 'state' | 'active' | 'trouble' | 'mutedUntil'> }) {
  const badge = (words: string, Icon: typeof IconBell) => (
    <Badge variant="default" tt="none" leftSection={<Icon size={12} aria-hidden />} style={{ flex: 'none' }}>
      {words}
    </Badge>
  )
  return (
    <>
      {alert.active && <StateBadge state={alert.state} />}
      {!alert.active && badge('Paused', IconPlayerPause)}
      {alert.trouble && badge('Cannot be checked', IconAlertTriangle)}
      {alert.mutedUntil !== null && isMuted(alert) && badge('Muted', IconBellOff)}
    </>
  )
}

/** Whether it keeps quiet at the moment. */
export const isMuted = ({ mutedUntil }: Pick<Alert, 'mutedUntil'>, now = Date.now()): boolean =>
  mutedUntil !== null && Date.parse(mutedUntil) > now
