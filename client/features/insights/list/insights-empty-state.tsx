import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay, useMayWrite } from '../../../lib/gate'
import { EmptyState } from '../../../ui/empty-state'
import { LinkButton } from '../../../ui/buttons/links'
import { useHasSuggestions } from './suggestions'
import { loadedDatasetsQuery } from '../../../lib/queries/data-source-queries'

/** Before the first insight: leads to data when there is none, else to the builder. */
export function InsightsEmptyState({ offer }: { offer?: ReactNode }) {
  const datasets = useQuery(loadedDatasetsQuery())
  const may = useMayWrite('create:insight')
  const isAllowedByRole = useMay('create:insight')
  const isRow = useHasSuggestions()
  if (datasets.isPending || isRow === undefined) return null
  if ((datasets.data ?? []).length === 0)
    return (
      <>
        <EmptyState
          picture="sources"
          title="No data yet"
          sentence={
            isAllowedByRole
              ? 'Import a file to get your first insights in about a minute.'
              : 'Ask an owner, administrator or analyst to connect a source.'
          }
          action={may && <LinkButton to="/data-sources/new">Connect source</LinkButton>}
        />
        {offer}
      </>
    )
  return (
    <EmptyState
      isRow={isRow}
      picture="insights"
      title="No insights yet"
      sentence={isRow ? 'Keep one below, or choose a measure.' : 'Choose a measure to see what changed and why.'}
      action={may && !isRow && <LinkButton to="/insights/new">New insight</LinkButton>}
    />
  )
}
