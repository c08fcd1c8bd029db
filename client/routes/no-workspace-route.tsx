import { useRouter } from '@tanstack/react-router'
import { NoWorkspaceScreen } from '../features/workspaces/no-workspace-screen'

export function NoWorkspaceRoute() {
  const router = useRouter()
  return <NoWorkspaceScreen onEnter={() => void router.navigate({ to: '/data-sources', replace: true })} />
}
