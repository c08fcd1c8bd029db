import { getRouteApi } from '@tanstack/react-router'
import { UndeleteScreen } from '../features/auth/undelete-screen'

const route = getRouteApi('/custom/auth/undelete')

export function UndeleteRoute() {
  return <UndeleteScreen deleted={route.useSearch().deleted === true} />
}
