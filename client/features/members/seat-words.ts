import type { SeatUsage } from '../../../src/shared/members'

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
      title: 'Every seat is taken',
      sentence: 'Remove somebody or revoke an invitation to make room, or add seats.',
      limit: 'users',
    }
  return {
    title: 'Every analyst seat is taken',
    sentence: 'Viewers can still be invited. Change an analyst into a viewer to make room, or add a seat.',
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
    const who = free === 0 ? 'No invitation can be sent.' : `The first ${free} can be sent.`
    return { words: `${free === 0 ? `No ${name} is free` : `Only ${seatsOf}`}. ${who}`, short: true, limit, count }
  }
  return { words: `Uses ${need.people} of ${seatsOf}`, short: false, limit, count }
}
