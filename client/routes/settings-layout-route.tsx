import { Outlet, useRouterState } from '@tanstack/react-router'
import { useSession } from '../lib/session'
import { SectionNav, type SectionEntry } from '../ui/section-nav'
import type { Permission } from '../../src/shared/permissions'

interface SettingsEntry extends SectionEntry {
  /** Shown to roles that hold it; absent = to everybody. */
  permission?: Permission
}

/** Pages of the workspace's settings, in the order of how many people need them. */
export const WORKSPACE_SETTINGS: readonly SettingsEntry[] = [
  { label: 'Workspace', to: '/settings/workspace', permission: 'view:workspace' },
  { label: 'Members', to: '/settings/workspace/members', permission: 'view:member' },
  { label: 'Subscription', to: '/settings/workspace/subscription', permission: 'view:subscription' },
  { label: 'Accounts', to: '/settings/workspace/accounts', permission: 'view:insight' },
  { label: 'Currencies', to: '/settings/workspace/currency', permission: 'view:insight' },
  { label: 'Recently deleted', to: '/settings/workspace/deleted', permission: 'delete:source' },
  { label: 'Audit log', to: '/settings/workspace/audit', permission: 'view:audit' },
]

/** Pages of a person's own settings. */
export const PROFILE_SETTINGS: readonly SettingsEntry[] = [
  { label: 'Profile', to: '/settings/profile' },
  { label: 'Sign-in and security', to: '/settings/profile/authentication' },
]

export const WorkspaceSettingsLayout = () => <SettingsSection label="Workspace settings" entries={WORKSPACE_SETTINGS} />
export const ProfileSettingsLayout = () => <SettingsSection label="Your settings" entries={PROFILE_SETTINGS} />

function SettingsSection({ label, entries }: { label: string; entries: readonly SettingsEntry[] }) {
  const { workspace } = useSession()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const held = workspace?.permissions ?? []
  const shown = entries.filter(({ permission }) => permission === undefined || held.includes(permission))
  return (
    <>
      <SectionNav label={label} entries={shown} path={path} />
      <Outlet />
    </>
  )
}
