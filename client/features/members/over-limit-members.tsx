import { useQuery } from '@tanstack/react-query'
import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useMay } from '../../lib/gate'
import { subscriptionQuery } from '../../lib/queries/subscription-queries'
import type { OverLimitList, OverLimitSummary } from '../../../src/shared/billing/subscription'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** People the plan has no room for, by id, and how many there are and may be. */
export interface OverLimitMembers {
  /** They cannot use the workspace. */
  withoutSeat: ReadonlySet<string>
  /** They may do what viewers may. */
  actingAsViewers: ReadonlySet<string>
  users: { count: number; max: number } | null
  analysts: { count: number; max: number } | null
}

const NO_OVER_LIMIT_MEMBERS: OverLimitMembers = {
  withoutSeat: new Set(),
  actingAsViewers: new Set(),
  users: null,
  analysts: null,
}

const countOf = (list: OverLimitList | null) => (list ? { count: list.items.length, max: list.max } : null)
const overLimitIds = (list: OverLimitList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => !stays).map(({ id }) => id)

/** Who of a workspace is beyond the plan. Whoever is out does not count as a viewer, too. */
function overLimitMembers(frozen: Pick<OverLimitSummary, 'users' | 'analysts'> | null): OverLimitMembers {
  if (!frozen) return NO_OVER_LIMIT_MEMBERS
  const withoutSeat = new Set(overLimitIds(frozen.users))
  const actingAsViewers = new Set(overLimitIds(frozen.analysts).filter((id) => !withoutSeat.has(id)))
  return {
    withoutSeat,
    actingAsViewers,
    users: withoutSeat.size > 0 ? countOf(frozen.users) : null,
    analysts: actingAsViewers.size > 0 ? countOf(frozen.analysts) : null,
  }
}

/** The same for this tab's workspace; nobody until it is known, and for people who may not see it. */
export function useOverLimitMembers(): OverLimitMembers {
  const may = useMay('view:subscription')
  const { data } = useQuery({ ...subscriptionQuery(), enabled: may })
  return overLimitMembers(data?.frozen ?? null)
}

const formatPersonCount = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Says above the list who is beyond the plan, what that means for them, and what brings them back. */
export function OverLimitMembersNotice({ frozen }: { frozen: OverLimitMembers }) {
  const { withoutSeat, actingAsViewers, users, analysts } = frozen
  return (
    <>
      {users && (
        <Alert
          color="yellow"
          icon={<IconSnowflake aria-hidden />}
          title={`${formatPersonCount(withoutSeat.size)} without a seat`}
        >
          <Text size="sm">
            Your plan includes {users.max === 1 ? '1 user' : `${users.max} users`}; the workspace has {users.count}.
            They can’t sign in here until a seat is free.
          </Text>
          <UpgradeLine need={{ kind: 'limit', limit: 'users', count: users.count }} />
        </Alert>
      )}
      {analysts && (
        <Alert
          color="yellow"
          icon={<IconSnowflake aria-hidden />}
          title={`${formatPersonCount(actingAsViewers.size)} acting as viewer`}
        >
          <Text size="sm">
            Your plan includes {analysts.max === 1 ? '1 analyst seat' : `${analysts.max} analyst seats`};{' '}
            {analysts.count} people need one. They act as viewers until a seat is free.
          </Text>
          <UpgradeLine need={{ kind: 'limit', limit: 'analysts', count: analysts.count }} />
        </Alert>
      )}
    </>
  )
}
