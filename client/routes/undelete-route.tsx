import { getRouteApi } from '@tanstack/react-router'
import { RestoreAccountScreen } from '../features/auth/undelete-screen'

const route = getRouteApi('/custom/auth/undelete')

export function UndeleteRoute() {
  return <RestoreAccountScreen deleted={route.useSearch().deleted === true} />
}
