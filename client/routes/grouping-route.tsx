import { getRouteApi } from '@tanstack/react-router'
import { GroupingScreen } from '../features/groupings/grouping-screen'

const route = getRouteApi('/app/data-grouping/$id')

export function GroupingRoute() {
  const { id } = route.useParams()
  return <GroupingScreen key={id} id={id} />
}
