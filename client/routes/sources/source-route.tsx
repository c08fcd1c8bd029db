import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SourceBriefing } from '../../features/briefing/landing-briefing'
import { ConnectionPanel } from '../../features/connections/connection-panel'
import { sourceQuery } from '../../features/data-sources/queries'
import { DatasetSensitiveColumns } from '../../features/data-access/sensitive-columns'
import { SuggestedRelationsCard, useIsAwaitingSuggestions } from '../../features/relations/relation-suggestions'
import { RelationsPanel } from '../../features/relations/relations-panel'
import { StatementsPanel } from '../../features/statements/statements-panel'
import { SourceScreen } from '../../features/data-sources/data-source-screen'

const route = getRouteApi('/app/data-sources/$id')

export function SourceRoute() {
  const { id } = route.useParams()
  const { problem } = route.useSearch()
  const { data } = useQuery(sourceQuery(id))
  const isAwaitingProposals = useIsAwaitingSuggestions(data)
  return (
    <SourceScreen
      key={id}
      id={id}
      isAwaitingProposals={isAwaitingProposals}
      connection={(source) => source.connection && <ConnectionPanel sourceId={source.id} problem={problem} />}
      proposals={(source) => (
        <>
          <SuggestedRelationsCard source={source} />
          <SourceBriefing sourceId={source.id} />
        </>
      )}
      sensitiveColumns={(dataset) => <DatasetSensitiveColumns key={dataset.id} dataset={dataset.id} />}
      statements={(source) => <StatementsPanel source={source.id} />}
      relations={(dataset) => <RelationsPanel dataset={dataset} />}
    />
  )
}
