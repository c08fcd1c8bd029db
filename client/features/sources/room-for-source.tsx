import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sourcesQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/links'

/** Shows its children while the plan has room for another source; says so before a file is sent, not after. */
export function RoomForSource({ children }: { children: ReactNode }) {
  const format = useFormat()
  const entitlements = useSession().workspace?.entitlements
  const may = useMay('create:source') && !entitlements?.readOnly
  const max = entitlements?.features.dataSources ?? null
  const { data } = useQuery({ ...sourcesQuery({ search: '', deleted: false }), enabled: may && max !== null })
  const used = data?.items.filter(({ sample }) => !sample).length ?? 0
  // Whoever may add nothing at all is told so by what is inside, not to make room.
  if (!may || max === null || used < max) return children
  return (
    <EmptyState
      picture="locked"
      title={max === 1 ? 'Your one data source is in use' : `All ${format.count(max)} data sources are in use`}
      sentence="Add the files to a source you have: one source holds up to 20 tables. Or delete one that is not needed, or get an extra data source."
      action={<LinkButton to="/data-sources">See your sources</LinkButton>}
    />
  )
}
