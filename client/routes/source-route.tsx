import { getRouteApi } from '@tanstack/react-router'
import { SuggestedRelationsCard } from '../features/relations/relation-suggestions'
import { RelationsPanel } from '../features/relations/relations-panel'
import { SourceScreen } from '../features/data-sources/data-source-screen'

const route = getRouteApi('/app/data-sources/$id')

export function SourceRoute() {
  const { id } = route.useParams()
  return (
    <SourceScreen
      key={id}
      id={id}
      proposals={(source) => <SuggestedRelationsCard source={source} />}
      relations={(dataset) => <RelationsPanel dataset={dataset} />}
    />
  )
}
