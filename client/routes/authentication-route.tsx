import { getRouteApi } from '@tanstack/react-router'
import { AuthenticationScreen } from '../features/account/authentication-screen'

const route = getRouteApi('/app/settings/settings/profile/authentication')

export function AuthenticationRoute() {
  return <AuthenticationScreen problem={route.useSearch().problem} />
}
