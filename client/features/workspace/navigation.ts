import {
  IconBell,
  IconChartBar,
  IconChartLine,
  IconCreditCard,
  IconDatabase,
  IconMath,
  IconSettings,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import type { Permission } from '../../../src/shared/permissions'

export interface NavigationEntry {
  label: string
  to:
    | '/data-sources'
    | '/data-grouping'
    | '/insights'
    | '/metrics'
    | '/alerts'
    | '/forecasts'
    | '/settings/workspace'
    | '/settings/workspace/members'
    | '/settings/workspace/subscription'
  icon: typeof IconDatabase
  permission: Permission
  /** Marked on its own page only: pages below it have entries themselves. */
  exact?: boolean
}
export interface NavigationGroup {
  label: string
  entries: readonly NavigationEntry[]
}

/** What works, in the order of the work: get data in, understand it, look ahead, set things. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Data',
    entries: [
      { label: 'Data sources', to: '/data-sources', icon: IconDatabase, permission: 'view:source' },
      { label: 'Data grouping', to: '/data-grouping', icon: IconStack2, permission: 'view:insight' },
    ],
  },
  {
    label: 'Understand',
    entries: [
      { label: 'Insights', to: '/insights', icon: IconChartBar, permission: 'view:insight' },
      { label: 'Metrics', to: '/metrics', icon: IconMath, permission: 'view:insight' },
      { label: 'Alerts', to: '/alerts', icon: IconBell, permission: 'view:insight' },
    ],
  },
  {
    label: 'Ahead',
    entries: [{ label: 'Forecasts', to: '/forecasts', icon: IconChartLine, permission: 'view:insight' }],
  },
  {
    label: 'Settings',
    entries: [
      {
        label: 'Workspace',
        to: '/settings/workspace',
        icon: IconSettings,
        permission: 'view:workspace',
        exact: true,
      },
      { label: 'Members', to: '/settings/workspace/members', icon: IconUsers, permission: 'view:member' },
      {
        label: 'Subscription',
        to: '/settings/workspace/subscription',
        icon: IconCreditCard,
        permission: 'view:subscription',
      },
    ],
  },
]

/** The groups and entries a role may open; groups without any are left out. */
export function navigationFor(permissions: readonly Permission[]): NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => permissions.includes(entry.permission)),
  })).filter((group) => group.entries.length > 0)
}
