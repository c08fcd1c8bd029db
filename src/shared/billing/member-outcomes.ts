import type { Role } from '../permissions'
import type { OverLimitItem, OverLimitSummary } from './subscription'

/** What becomes of a member under a smaller plan. */
export type MemberOutcome = 'lockedOut' | 'viewer' | 'stays'
export interface MemberForecast {
  id: string
  name: string
  role: Role
  outcome: MemberOutcome
}

/** Owners stay whatever the limit, then who was chosen, then the oldest. */
const inRetentionOrder = (items: readonly OverLimitItem[], retained: ReadonlySet<string>): OverLimitItem[] => {
  const weight = ({ id, role }: OverLimitItem): number => (role === 'owner' ? 0 : retained.has(id) ? 1 : 2)
  return items.toSorted(
    (a, b) =>
      weight(a) - weight(b) ||
      Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
}

/**
 * What happens to every member that a limit of people touches, by the rule that lets them in afterwards
 * (`effectiveMembership`): beyond the users of the plan nobody enters, beyond its analysts people act as viewers.
 * `retained`: who is chosen to stay; null = nobody chose anew, and the summary's own order holds.
 */
export function forecastMembers(
  { users, analysts }: Pick<OverLimitSummary, 'users' | 'analysts'>,
  retained: readonly string[] | null,
): MemberForecast[] {
  const chosen = new Set(retained)
  const ordered = (items: readonly OverLimitItem[]) => (retained === null ? items : inRetentionOrder(items, chosen))
  const beyond = (list: typeof users): Set<string> =>
    new Set(
      ordered(list?.items ?? [])
        .slice(list?.max ?? 0)
        .map(({ id }) => id),
    )
  const [lockedOut, withoutAnalystSeat] = [beyond(users), beyond(analysts)]
  return (
    (users ?? analysts)?.items.flatMap(({ id, name, role }): MemberForecast[] => {
      if (role === undefined) return []
      const outcome =
        role === 'owner' ? 'stays' : lockedOut.has(id) ? 'lockedOut' : withoutAnalystSeat.has(id) ? 'viewer' : 'stays'
      return [{ id, name, role, outcome }]
    }) ?? []
  )
}
