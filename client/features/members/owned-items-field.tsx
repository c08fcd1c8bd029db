import { MutedText } from '../../ui/muted-text'
import { Select, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownedItemsQuery } from './queries'
import { useSession } from '../../lib/session'
import { FormError } from '../../ui/forms/form-error'
import type { OwnedItems } from '../../../src/shared/members'

const pluralize = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

type OwnedCounts = Omit<OwnedItems, 'heirs'>
const OWNED_KINDS: readonly [keyof OwnedCounts, string][] = [
  ['sources', 'data source'],
  ['insights', 'insight'],
  ['metrics', 'metric'],
  ['groupings', 'grouping'],
  ['alerts', 'alert'],
  ['forecasts', 'forecast'],
  ['reports', 'report'],
  ['schedules', 'report schedule'],
]

/** "3 data sources, 5 insights and 1 alert"; null when there is nothing to inherit. */
export function describeOwnedItems(ownedCounts: OwnedCounts): string | null {
  const parts = OWNED_KINDS.flatMap(([kind, one]) => (ownedCounts[kind] > 0 ? [pluralize(ownedCounts[kind], one)] : []))
  const last = parts.pop()
  if (last === undefined) return null
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** Who is proposed: whoever asks, else the first who may inherit. */
const defaultHeir = ({ heirs }: OwnedItems, currentUserId: string | undefined): string | null =>
  heirs.find(({ userId }) => userId === currentUserId)?.userId ?? heirs[0]?.userId ?? null

export interface HeirSelection {
  /** Whether belongings are known, and somebody takes them over where there are any. */
  ready: boolean
  /** Who takes them over. */
  heir: string | undefined
  belongings: OwnedItems | undefined
  error: unknown
  value: string | null
  choose: (id: string | null) => void
}

/** What somebody leaves behind and who takes it over; asked only while `needed`. */
export function useHeir(memberId: string, needed: boolean): HeirSelection {
  const { user } = useSession()
  const { data, error } = useQuery({ ...ownedItemsQuery(memberId), enabled: needed })
  const [chosen, choose] = useState<string | null>(null)
  if (!needed) return { ready: true, heir: undefined, belongings: undefined, error: null, value: null, choose }
  const value = chosen ?? (data ? defaultHeir(data, user?.id) : null)
  const isEmpty = data !== undefined && describeOwnedItems(data) === null
  return {
    ready: isEmpty || (data !== undefined && value !== null),
    heir: isEmpty ? undefined : (value ?? undefined),
    belongings: data,
    error,
    value,
    choose,
  }
}

/** "Transfer 3 data sources and 5 insights to …". */
export function OwnedItemsField({ heir: { belongings, error, value, choose } }: { heir: HeirSelection }) {
  if (error) return <FormError error={error} />
  if (!belongings) return <Skeleton h={58} aria-hidden="true" />
  const words = describeOwnedItems(belongings)
  if (words === null) return <MutedText>Nothing to transfer.</MutedText>
  if (belongings.heirs.length === 0)
    return (
      <Text size="sm" role="alert">
        No one can take over {words}. Make another member an analyst first.
      </Text>
    )
  return (
    <Select
      label={`Transfer ${words} to`}
      data={belongings.heirs.map(({ userId, name }) => ({ value: userId, label: name }))}
      value={value}
      onChange={choose}
      searchable={belongings.heirs.length > 8}
    />
  )
}
