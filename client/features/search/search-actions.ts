import { useNavigate } from '@tanstack/react-router'
import {
  IconArrowsExchange,
  IconChartBar,
  IconChartHistogram,
  IconDatabase,
  IconDatabasePlus,
  IconLock,
  IconLogout,
  IconSettings,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { signOut } from '../../lib/session-calls'

type PagePath =
  | '/data-sources'
  | '/insights'
  | '/settings/workspace'
  | '/settings/workspace/members'
  | '/settings/profile'
  | '/settings/profile/authentication'

export interface SearchAction {
  id: string
  group: 'Insights' | 'Data sources' | 'Actions' | 'Pages' | 'Workspaces'
  label: string
  icon: typeof IconUser
  run: () => void
}

/** Every word typed begins a word of the action. */
export function matches({ label }: Pick<SearchAction, 'label'>, query: string): boolean {
  const words = label.toLocaleLowerCase().split(/\s+/)
  const typed = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return typed.every((part) => words.some((word) => word.startsWith(part)))
}

/** Pages and actions the person may use, then the other workspaces. */
export function useSearchActions(): SearchAction[] {
  const navigate = useNavigate()
  const { workspace, workspaces } = useSession()
  const mayConnect = useMay('create:source')
  const mayCreate = useMay('create:insight')
  const mayInvite = useMay('invite:member')
  const go = (to: PagePath) => () => void navigate({ to })
  const actions: SearchAction[] = [
    { id: 'sources', group: 'Pages', label: 'Data sources', icon: IconDatabase, run: go('/data-sources') },
    { id: 'insights', group: 'Pages', label: 'Insights', icon: IconChartBar, run: go('/insights') },
    {
      id: 'workspace',
      group: 'Pages',
      label: 'Workspace settings',
      icon: IconSettings,
      run: go('/settings/workspace'),
    },
    { id: 'members', group: 'Pages', label: 'Members', icon: IconUsers, run: go('/settings/workspace/members') },
    { id: 'profile', group: 'Pages', label: 'Your profile', icon: IconUser, run: go('/settings/profile') },
    {
      id: 'authentication',
      group: 'Pages',
      label: 'Sign-in and security',
      icon: IconLock,
      run: go('/settings/profile/authentication'),
    },
    {
      id: 'sign-out',
      group: 'Actions',
      label: 'Sign out',
      icon: IconLogout,
      run: () => void signOut().then(() => navigate({ to: '/login', replace: true })),
    },
  ]
  if (mayInvite)
    actions.unshift({
      id: 'invite',
      group: 'Actions',
      label: 'Invite people',
      icon: IconUserPlus,
      run: () => void navigate({ to: '/settings/workspace/members/invite' }),
    })
  if (mayCreate)
    actions.unshift({
      id: 'new-insight',
      group: 'Actions',
      label: 'New insight',
      icon: IconChartHistogram,
      run: () => void navigate({ to: '/insights/new' }),
    })
  if (mayConnect)
    actions.unshift({
      id: 'connect',
      group: 'Actions',
      label: 'Connect source',
      icon: IconDatabasePlus,
      run: () => void navigate({ to: '/data-sources/new' }),
    })
  const others = workspaces.filter(({ id }) => id !== workspace?.id)
  return [
    ...actions,
    ...others.map(({ id, name }): SearchAction => ({
      id,
      group: 'Workspaces',
      label: `Switch to ${name}`,
      icon: IconArrowsExchange,
      run: () => void navigate({ to: '/data-sources', search: { w: id } }),
    })),
  ]
}
