import { getRouteApi } from '@tanstack/react-router'
import { SourceScreen } from '../features/sources/source-screen'

const route = getRouteApi('/app/data-sources/$id')

export function SourceRoute() {
  const { id } = route.useParams()
  return <SourceScreen key={id} id={id} />
}
