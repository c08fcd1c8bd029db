import { OverLimitNotice } from '../../ui/over-limit-notice'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sourcesQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/buttons/links'
import { UpgradePrompt } from '../../ui/upgrade-prompt'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'

/** Shows its children while the plan has room for another source; says so before a file is sent, not after. */
export function SourceLimitGate({ children }: { children: ReactNode }) {
  const format = useFormat()
  const entitlements = useSession().workspace?.entitlements
  const may = useMay('create:source') && !entitlements?.readOnly
  const max = entitlements?.features.dataSources ?? null
  const { data } = useQuery({ ...sourcesQuery({ search: '', deleted: false }), enabled: may && max !== null })
  const used = countLimitedSources(data?.items ?? [])
  // Whoever may add nothing at all is told so by what is inside, not to make room.
  if (!may || max === null || used < max) return children
  return (
    <UpgradePrompt
      need={{ kind: 'limit', limit: 'dataSources', count: used + 1 }}
      title={max === 1 ? 'Your one data source is in use' : `All ${format.count(max)} data sources are in use`}
      sentence="Add the files to a source you have: one source holds up to 20 tables. Or delete one that is not needed."
      secondaryAction={
        <LinkButton to="/data-sources" variant="default">
          See your sources
        </LinkButton>
      }
    />
  )
}

/** Sources that count against the plan: those of the sample company do not. */
export const countLimitedSources = (items: readonly Pick<DataSource, 'sample'>[]): number =>
  items.filter(({ sample }) => !sample).length

/** Why a source takes no loads, what goes on, and what brings it back. */
export function SourceOverLimitNotice() {
  const { data } = useQuery(sourcesQuery({ search: '', deleted: false }))
  return (
    <OverLimitNotice
      thing="source"
      limit="dataSources"
      unit={(max) => (max === 1 ? 'data source' : 'data sources')}
      count={countLimitedSources(data?.items ?? [])}
    >
      Its rows stay readable, and every insight on them works. New loads and changes wait until there is room: with a
      larger plan, or when a source that is not needed is deleted.
    </OverLimitNotice>
  )
}
