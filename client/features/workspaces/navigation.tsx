import {
  IconBell,
  IconChartBar,
  IconChartLine,
  IconCreditCard,
  IconDatabase,
  IconMath,
  IconMessageChatbot,
  IconNews,
  IconReportAnalytics,
  IconSettings,
  IconStack2,
  IconUsers,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { Tooltip, ActionIcon, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Permission } from '../../../src/shared/permissions'
import classes from './app-layout.module.css'
import { useSession } from '../../lib/session'
import { TrialNote } from './trial-note'

interface NavigationEntry {
  label: string
  to:
    | '/data-sources'
    | '/data-grouping'
    | '/insights'
    | '/insight-bot'
    | '/metrics'
    | '/pilot'
    | '/alerts'
    | '/forecasts'
    | '/reports'
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
const NAVIGATION: readonly NavigationGroup[] = [
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
      { label: 'Insight bot', to: '/insight-bot', icon: IconMessageChatbot, permission: 'view:insight' },
      { label: 'Metrics', to: '/metrics', icon: IconMath, permission: 'view:insight' },
      { label: 'Alerts', to: '/alerts', icon: IconBell, permission: 'view:insight' },
      { label: 'Pilot', to: '/pilot', icon: IconNews, permission: 'view:insight' },
    ],
  },
  {
    label: 'Ahead',
    entries: [{ label: 'Forecasts', to: '/forecasts', icon: IconChartLine, permission: 'view:insight' }],
  },
  {
    label: 'Share',
    entries: [{ label: 'Reports', to: '/reports', icon: IconReportAnalytics, permission: 'view:report' }],
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

export function NavigationLinks({ collapsed }: { collapsed: boolean }) {
  const { workspace } = useSession()
  return (
    <nav className={classes.nav} aria-label="Main">
      {navigationFor(workspace?.permissions ?? []).map((group) => (
        <NavigationSection key={group.label} group={group} collapsed={collapsed} />
      ))}
    </nav>
  )
}

function NavigationSection({ group, collapsed }: { group: NavigationGroup; collapsed: boolean }) {
  const id = useId()
  return (
    <div>
      <div id={id} className={`label ${classes.groupLabel}`}>
        {group.label}
      </div>
      <ul className={classes.group} aria-labelledby={id}>
        {group.entries.map((entry) => (
          <li key={entry.to}>
            <NavigationLink entry={entry} collapsed={collapsed} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NavigationLink({ entry, collapsed }: { entry: NavigationEntry; collapsed: boolean }) {
  const Icon = entry.icon
  return (
    <Tooltip label={entry.label} position="right" disabled={!collapsed}>
      <Link
        to={entry.to}
        className={classes.link}
        activeOptions={{ exact: entry.exact ?? false, includeSearch: false }}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes.linkLabel}>{entry.label}</span>
      </Link>
    </Tooltip>
  )
}

/** Below the navigation: how long the trial lasts, and the switch that folds it. */
export function NavigationFooter({ collapsed, onToggle }: { collapsed: boolean; onToggle?: () => void }) {
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.foot}>
      <Group justify="space-between" wrap={collapsed ? 'wrap' : 'nowrap'} gap="xs">
        <TrialNote collapsed={collapsed} />
        {onToggle && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            ml="auto"
            onClick={onToggle}
            aria-expanded={!collapsed}
            aria-label={collapsed ? 'Expand navigation' : 'Collapse navigation'}
          >
            <Icon size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </div>
  )
}
