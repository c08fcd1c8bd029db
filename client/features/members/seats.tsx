import { Alert, Skeleton, Text } from '@mantine/core'
import { IconArmchair } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SeatUsage } from '../../../src/shared/members'
import classes from './members.module.css'
import { seatsQuery } from './queries'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import { takesAnalystSeat } from './roles'
import type { InviteRole } from '../../../src/shared/invites'

type SeatCount = SeatUsage['users']

const freeSeats = ({ used, max }: SeatCount): number =>
  max === null ? Number.POSITIVE_INFINITY : Math.max(0, max - used)
const describeUsed = ({ used, max }: SeatCount, one: string): string => {
  if (max !== null) return `${used} of ${max} ${max === 1 ? one : `${one}s`}`
  return `${used} ${used === 1 ? one : `${one}s`}`
}

/** "4 of 30 users, 2 of 3 analysts". */
export const describeSeats = ({ users, analysts }: SeatUsage): string =>
  `${describeUsed(users, 'user')}, ${describeUsed(analysts, 'analyst')}`

export interface SeatsFullText {
  title: string
  /** What can be done without buying. */
  sentence: string
  /** What there is none of. */
  limit: 'users' | 'analysts'
}

/** What to do when seats have run out; null while there are some of both kinds. */
export function seatsFullText(seatUsage: SeatUsage): SeatsFullText | null {
  const noUser = freeSeats(seatUsage.users) === 0
  const noAnalyst = freeSeats(seatUsage.analysts) === 0
  if (!noUser && !noAnalyst) return null
  if (noUser)
    return {
      title: 'No seats left',
      sentence: 'Remove a member, revoke an invitation or add seats.',
      limit: 'users',
    }
  return {
    title: 'No analyst seats left',
    sentence: 'You can still invite viewers. Change an analyst to viewer or add a seat.',
    limit: 'analysts',
  }
}

export interface SeatDemandText {
  words: string
  /** Fewer seats are free than needed. */
  short: boolean
  /** The kind that runs out first, and how many of it would do. */
  limit: 'users' | 'analysts'
  count: number
}

/** "Uses 3 of 26 free seats": what sending these invitations takes. Null where the plan has no limit. */
export function describeSeatDemand(
  seatUsage: SeatUsage,
  need: { people: number; analysts: boolean },
): SeatDemandText | null {
  const kinds = [
    { free: freeSeats(seatUsage.users), name: 'seat', limit: 'users' as const },
    ...(need.analysts
      ? [{ free: freeSeats(seatUsage.analysts), name: 'analyst seat', limit: 'analysts' as const }]
      : []),
  ].filter(({ free }) => Number.isFinite(free))
  // The kind that runs out first is the one worth a word.
  const tightest = kinds.toSorted((a, b) => a.free - b.free)[0]
  if (!tightest) return null
  const { free, name, limit } = tightest
  const count = seatUsage[limit].used + need.people
  const seatsOf = `${free} free ${free === 1 ? name : `${name}s`}`
  if (need.people > free) {
    const who = free === 0 ? '' : ` Only the first ${free} will be sent.`
    return { words: free === 0 ? `No ${name}s left` : `${seatsOf}.${who}`, short: true, limit, count }
  }
  return { words: `Uses ${need.people} of ${seatsOf}`, short: false, limit, count }
}

/** How many seats are taken; with none left, what to do about it, as far as anything can be done now. */
export function SeatsLine() {
  const { data } = useQuery(seatsQuery())
  const writable = useSession().workspace?.entitlements.readOnly === null
  // Without an answer the list still works: the line is left out.
  if (!data)
    return (
      <div className={classes.seats} aria-hidden="true">
        <Skeleton h={20} w={200} />
        <Skeleton h={17} w={180} />
      </div>
    )
  const fullText = seatsFullText(data)
  const words = describeSeats(data)
  if (!fullText || !writable)
    return (
      <div className={classes.seats}>
        <Text size="sm" fw={550}>
          {words}
        </Text>
        <Text size="xs" c="dimmed">
          Pending invitations use a seat.
        </Text>
      </div>
    )
  return (
    <Alert color="gray" icon={<IconArmchair aria-hidden />} title={`${fullText.title}: ${words}`}>
      <Text size="sm">{fullText.sentence}</Text>
      <UpgradeLine need={{ kind: 'limit', limit: fullText.limit, count: data[fullText.limit].used + 1 }} />
    </Alert>
  )
}

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
      <Text size="sm">Remove a member, revoke an invitation or add seats.</Text>
      <UpgradeLine need={{ kind: 'limit', limit: need.limit, count: need.count }} />
    </Alert>
  )
}
