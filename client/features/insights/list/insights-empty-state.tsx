import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay, useMayWrite } from '../../../lib/gate'
import { EmptyState } from '../../../ui/empty-state'
import { LinkButton } from '../../../ui/buttons/links'
import { loadedDatasetsQuery } from '../../../lib/queries/data-source-queries'

/** Before the first insight: leads to data when there is none, else to the builder. */
export function InsightsEmptyState({ offer }: { offer?: ReactNode }) {
  const datasets = useQuery(loadedDatasetsQuery())
  const may = useMayWrite('create:insight')
  const isAllowedByRole = useMay('create:insight')
  if (datasets.isPending) return null
  if ((datasets.data ?? []).length === 0)
    return (
      <>
        <EmptyState
          picture="sources"
          title="Insights start with data"
          sentence={
            isAllowedByRole
              ? 'Drop a file and see a month later compared with a year earlier, in about a minute.'
              : 'Nobody has connected data yet. An owner, administrator or analyst of this workspace can.'
          }
          action={may && <LinkButton to="/data-sources/new">Connect source</LinkButton>}
        />
        {offer}
      </>
    )
  return (
    <EmptyState
      picture="insights"
      title="Keep an eye on a figure"
      sentence="Choose what to measure and how to split it. The insight says what changed and shows the rows behind it."
      action={may && <LinkButton to="/insights/new">New insight</LinkButton>}
    />
  )
}
