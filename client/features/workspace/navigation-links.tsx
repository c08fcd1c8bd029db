import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import classes from './app-layout.module.css'
import { navigationFor } from './navigation'
import type { NavigationEntry, NavigationGroup } from './navigation'
import { useSession } from '../../lib/session'

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
