import { Alert, Text } from '@mantine/core'
import { IconArmchair } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { seatsQuery } from './queries'
import { takesAnalystSeat } from './role-words'
import { describeSeatDemand } from './seat-words'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import type { InviteRole } from '../../../src/shared/invites'

/** What sending takes from the plan's seats, before it is sent; without a seat, before anybody is typed. */
export function SeatDemandLine({ people, role }: { people: number; role: InviteRole }) {
  const { data } = useQuery(seatsQuery())
  const need = data ? describeSeatDemand(data, { people: Math.max(1, people), analysts: takesAnalystSeat(role) }) : null
  // The line has its place before it says anything: what comes late must not move the button below it.
  if (!need?.short)
    return (
      <Text size="sm" c="dimmed" role="status" mih="1lh">
        {people > 0 && need?.words}
      </Text>
    )
  return (
    <Alert color="yellow" icon={<IconArmchair aria-hidden />} role="status" title={need.words}>
      <Text size="sm">To make room, remove somebody or revoke an invitation, or add seats.</Text>
      <UpgradeLine need={{ kind: 'limit', limit: need.limit, count: need.count }} />
    </Alert>
  )
}
