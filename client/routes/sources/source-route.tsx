import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ConnectionPanel } from '../../features/connections/connection-panel'
import { useConnectionPending } from '../../features/connections/queries'
import { sourceQuery } from '../../features/data-sources/queries'
import { SourceFindings, useSourceFindingsPending } from '../../features/findings/finding-lists'
import { useMay } from '../../lib/gate'
import { DatasetSensitiveColumns } from '../../features/data-access/sensitive-columns'
import { SuggestedRelationsCard, useIsAwaitingSuggestions } from '../../features/relations/relation-suggestions'
import { RelationsPanel } from '../../features/relations/relations-panel'
import { StatementsPanel } from '../../features/statements/statements-panel'
import { MixedCurrencies } from '../../features/data-sources/columns/mixed-currencies'
import { SourceScreen } from '../../features/data-sources/data-source-screen'

const route = getRouteApi('/app/data-sources/$id')

export function SourceRoute() {
  const { id } = route.useParams()
  const { problem } = route.useSearch()
  const { data } = useQuery(sourceQuery(id))
  const mayView = useMay('view:insight')
  const isAwaitingProposals = useIsAwaitingSuggestions(data)
  const isAwaitingFindings = useSourceFindingsPending(mayView)
  const isAwaitingConnection = useConnectionPending(id, data?.connection != null)
  return (
    <SourceScreen
      key={id}
      id={id}
      isAwaitingProposals={isAwaitingProposals || isAwaitingFindings || isAwaitingConnection}
      connection={(source) => source.connection && <ConnectionPanel sourceId={source.id} problem={problem} />}
      findings={({ datasets }) =>
        mayView && (
          <>
            {datasets.map((dataset) => (
              <MixedCurrencies key={dataset.id} dataset={dataset} />
            ))}
            <SourceFindings datasets={datasets.map((dataset) => dataset.id)} />
          </>
        )
      }
      proposals={(source) => <SuggestedRelationsCard source={source} />}
      sensitiveColumns={(dataset) => <DatasetSensitiveColumns key={dataset.id} dataset={dataset.id} />}
      statements={(source) => <StatementsPanel source={source.id} />}
      relations={(dataset) => <RelationsPanel dataset={dataset} />}
    />
  )
}
