import { Select, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { belongingsQuery } from './queries'
import { useSession } from '../../lib/session'
import { FormError } from '../../ui/form-error'
import type { Belongings } from '../../../src/shared/members'

const many = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

type Owned = Omit<Belongings, 'heirs'>
const KINDS: readonly [keyof Owned, string][] = [
  ['sources', 'data source'],
  ['insights', 'insight'],
  ['metrics', 'metric'],
  ['groupings', 'grouping'],
  ['alerts', 'alert'],
  ['forecasts', 'forecast'],
]
const inAll = (owned: Owned): number => KINDS.reduce((sum, [kind]) => sum + owned[kind], 0)

/** "3 data sources, 5 insights and 1 alert"; null when there is nothing to inherit. */
export function belongingsWords(owned: Owned): string | null {
  const parts = KINDS.flatMap(([kind, one]) => (owned[kind] > 0 ? [many(owned[kind], one)] : []))
  const last = parts.pop()
  if (last === undefined) return null
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** Who is proposed: whoever asks, else the first who may inherit. */
const proposed = ({ heirs }: Belongings, asking: string | undefined): string | null =>
  heirs.find(({ userId }) => userId === asking)?.userId ?? heirs[0]?.userId ?? null

export interface Heir {
  /** Whether belongings are known, and somebody takes them over where there are any. */
  ready: boolean
  /** Who takes them over. */
  heir: string | undefined
  belongings: Belongings | undefined
  error: unknown
  value: string | null
  choose: (id: string | null) => void
}

/** What somebody leaves behind and who takes it over; asked only while `needed`. */
export function useHeir(memberId: string, needed: boolean): Heir {
  const { user } = useSession()
  const { data, error } = useQuery({ ...belongingsQuery(memberId), enabled: needed })
  const [chosen, choose] = useState<string | null>(null)
  if (!needed) return { ready: true, heir: undefined, belongings: undefined, error: null, value: null, choose }
  const value = chosen ?? (data ? proposed(data, user?.id) : null)
  const nothing = data !== undefined && belongingsWords(data) === null
  return {
    ready: nothing || (data !== undefined && value !== null),
    heir: nothing ? undefined : (value ?? undefined),
    belongings: data,
    error,
    value,
    choose,
  }
}

/** "3 data sources and 5 insights go to …". */
export function BelongingsField({ heir: { belongings, error, value, choose } }: { heir: Heir }) {
  if (error) return <FormError error={error} />
  if (!belongings) return <Skeleton h={58} aria-hidden="true" />
  const words = belongingsWords(belongings)
  if (words === null)
    return (
      <Text size="sm" c="dimmed">
        Nothing runs in their name, so nobody has to take anything over.
      </Text>
    )
  if (belongings.heirs.length === 0)
    return (
      <Text size="sm" role="alert">
        {words} need somebody to take them over, and nobody here may hold them. Make another member an analyst first.
      </Text>
    )
  const plural = inAll(belongings) > 1
  return (
    <Select
      label={`${words} ${plural ? 'go' : 'goes'} to`}
      data={belongings.heirs.map(({ userId, name }) => ({ value: userId, label: name }))}
      value={value}
      onChange={choose}
      allowDeselect={false}
      description="Notes, comments and targets stay where they are, with their author’s name."
      searchable={belongings.heirs.length > 8}
    />
  )
}
