import { Outlet, useRouterState } from '@tanstack/react-router'
import { useSession } from '../lib/session'
import { SectionNav, type SectionEntry } from '../ui/section-nav'
import classes from '../ui/section-nav.module.css'
import type { Permission } from '../../src/shared/permissions'

interface SettingsEntry extends SectionEntry {
  /** Shown to roles that hold it; absent = to everybody. */
  permission?: Permission
}
interface SettingsGroup {
  label: string
  entries: readonly SettingsEntry[]
}

/** Every page of the settings: of the workspace in the order of how many people need them, then the person's own. */
export const SETTINGS: readonly SettingsGroup[] = [
  {
    label: 'Workspace settings',
    entries: [
      { label: 'Workspace', to: '/settings/workspace', permission: 'view:workspace' },
      { label: 'Members', to: '/settings/workspace/members', permission: 'view:member' },
      { label: 'Subscription', to: '/settings/workspace/subscription', permission: 'view:subscription' },
      { label: 'Accounts', to: '/settings/workspace/accounts', permission: 'view:insight' },
      { label: 'Currencies', to: '/settings/workspace/currency', permission: 'view:insight' },
      { label: 'Data access', to: '/settings/workspace/data-access', permission: 'view:access' },
      { label: 'Recently deleted', to: '/settings/workspace/deleted', permission: 'delete:source' },
      { label: 'Audit log', to: '/settings/workspace/audit', permission: 'view:audit' },
    ],
  },
  {
    label: 'Your settings',
    entries: [
      { label: 'Profile', to: '/settings/profile' },
      { label: 'Sign-in and security', to: '/settings/profile/authentication' },
    ],
  },
]

/** The one area of all settings: where one can go beside where one is. */
export function SettingsLayout() {
  const held = useSession().workspace?.permissions ?? []
  const path = useRouterState({ select: (state) => state.location.pathname })
  const groups = SETTINGS.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ permission }) => permission === undefined || held.includes(permission)),
  }))
  return (
    <div className={classes.area}>
      <SectionNav label="Settings" groups={groups} path={path} />
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}
