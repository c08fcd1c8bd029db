import { OverLimitNotice } from '../../ui/over-limit-notice'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sourcesQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/buttons/links'
import { UpgradePrompt } from '../../ui/upgrade-prompt'
import { SOURCE_MAX_DATASETS } from '../../../src/shared/limits'
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
      title={`Data source limit reached (${format.count(max)})`}
      sentence={`Add files to an existing source (up to ${SOURCE_MAX_DATASETS} tables each), or delete one.`}
      secondaryAction={
        <LinkButton to="/data-sources" variant="default">
          View data sources
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
      Existing data and insights still work. To import or edit, upgrade your plan or delete another source.
    </OverLimitNotice>
  )
}
