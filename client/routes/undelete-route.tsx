import { getRouteApi } from '@tanstack/react-router'
import { RestoreAccountScreen } from '../features/identity/restore-account-screen'

const route = getRouteApi('/custom/auth/undelete')

export function UndeleteRoute() {
  return <RestoreAccountScreen deleted={route.useSearch().deleted === true} />
}
