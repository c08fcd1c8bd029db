import { useNavigate } from '@tanstack/react-router'
import {
  IconArrowsExchange,
  IconBell,
  IconChartBar,
  IconChartHistogram,
  IconCoins,
  IconCreditCard,
  IconDatabase,
  IconDatabasePlus,
  IconFolders,
  IconHistory,
  IconListNumbers,
  IconLock,
  IconLogout,
  IconMath,
  IconNews,
  IconSettings,
  IconShieldLock,
  IconTrash,
  IconTrendingUp,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import { useSession } from '../../lib/session'
import { signOut } from '../../lib/session-actions'

export interface SearchAction {
  id: string
  /** What kind of thing it is, in words. */
  group: string
  label: string
  icon: typeof IconUser
  run: () => void
}

/** Where a person can go; an action of theirs where it says so, a page otherwise. */
const DESTINATIONS = [
  {
    id: 'connect',
    act: true,
    label: 'Connect source',
    icon: IconDatabasePlus,
    to: '/data-sources/new',
    needs: 'create:source',
  },
  {
    id: 'new-insight',
    act: true,
    label: 'New insight',
    icon: IconChartHistogram,
    to: '/insights/new',
    needs: 'create:insight',
  },
  { id: 'new-metric', act: true, label: 'New metric', icon: IconMath, to: '/metrics/new', needs: 'edit:metric' },
  {
    id: 'new-forecast',
    act: true,
    label: 'New forecast',
    icon: IconTrendingUp,
    to: '/forecasts/new',
    needs: 'edit:forecast',
  },
  {
    id: 'invite',
    act: true,
    label: 'Invite people',
    icon: IconUserPlus,
    to: '/settings/workspace/members/invite',
    needs: 'invite:member',
  },
  { id: 'sources', act: false, label: 'Data sources', icon: IconDatabase, to: '/data-sources', needs: null },
  {
    id: 'groupings',
    act: false,
    label: 'Data grouping',
    icon: IconFolders,
    to: '/data-grouping',
    needs: 'view:insight',
  },
  { id: 'metrics', act: false, label: 'Metrics', icon: IconMath, to: '/metrics', needs: 'view:insight' },
  { id: 'forecasts', act: false, label: 'Forecasts', icon: IconTrendingUp, to: '/forecasts', needs: 'view:insight' },
  { id: 'alerts', act: false, label: 'Alerts', icon: IconBell, to: '/alerts', needs: 'view:insight' },
  { id: 'pilot', act: false, label: 'Pilot', icon: IconNews, to: '/pilot', needs: 'view:insight' },
  { id: 'insights', act: false, label: 'Insights', icon: IconChartBar, to: '/insights', needs: null },
  {
    id: 'workspace',
    act: false,
    label: 'Workspace settings',
    icon: IconSettings,
    to: '/settings/workspace',
    needs: 'view:workspace',
  },
  {
    id: 'members',
    act: false,
    label: 'Members',
    icon: IconUsers,
    to: '/settings/workspace/members',
    needs: 'view:member',
  },
  {
    id: 'subscription',
    act: false,
    label: 'Subscription',
    icon: IconCreditCard,
    to: '/settings/workspace/subscription',
    needs: 'view:subscription',
  },
  {
    id: 'accounts',
    act: false,
    label: 'Accounts',
    icon: IconListNumbers,
    to: '/settings/workspace/accounts',
    needs: 'view:insight',
  },
  {
    id: 'currencies',
    act: false,
    label: 'Currencies',
    icon: IconCoins,
    to: '/settings/workspace/currency',
    needs: 'view:insight',
  },
  {
    id: 'data-access',
    act: false,
    label: 'Data access',
    icon: IconShieldLock,
    to: '/settings/workspace/data-access',
    needs: 'view:access',
  },
  {
    id: 'deleted',
    act: false,
    label: 'Recently deleted',
    icon: IconTrash,
    to: '/settings/workspace/deleted',
    needs: 'delete:source',
  },
  {
    id: 'audit',
    act: false,
    label: 'Audit log',
    icon: IconHistory,
    to: '/settings/workspace/audit',
    needs: 'view:audit',
  },
  { id: 'profile', act: false, label: 'Your profile', icon: IconUser, to: '/settings/profile', needs: null },
  {
    id: 'authentication',
    act: false,
    label: 'Sign-in and security',
    icon: IconLock,
    to: '/settings/profile/authentication',
    needs: null,
  },
] as const

/** Pages, and actions the person may use now; then the other workspaces. */
export function useSearchActions(): SearchAction[] {
  const navigate = useNavigate()
  const { workspace, workspaces } = useSession()
  const may = workspace?.permissions ?? []
  // Each of these actions begins something new.
  const writable = workspace?.entitlements.readOnly === null
  const places = DESTINATIONS.filter(({ act, needs }) => (needs === null || may.includes(needs)) && (writable || !act))
  return [
    ...places.map(({ act, to, id, label, icon }): SearchAction => ({
      ...{ id, label, icon, group: act ? 'Actions' : 'Pages' },
      run: () =>
        void (to === '/metrics/new' ? navigate({ to: '/metrics/$id', params: { id: 'new' } }) : navigate({ to })),
    })),
    {
      id: 'sign-out',
      group: 'Actions',
      label: 'Sign out',
      icon: IconLogout,
      run: () => void signOut().then(() => navigate({ to: '/login', replace: true })),
    },
    ...workspaces
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name }): SearchAction => ({
        id,
        group: 'Workspaces',
        label: `Switch to ${name}`,
        icon: IconArrowsExchange,
        run: () => void navigate({ to: '/data-sources', search: { w: id } }),
      })),
  ]
}
