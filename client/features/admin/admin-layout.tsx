import { Badge, Group } from '@mantine/core'
import { IconArrowLeft, IconBuilding } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './admin-layout.module.css'
import { LinkAnchor } from '../../ui/buttons/links'
import { Logo } from '../../ui/logo'

/** The administration's shell: evidently not the product, so that nobody takes one for the other. */
export function AdminLayout({ person, children }: { person: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className={classes.bar}>
        <Group gap="sm" wrap="nowrap">
          <Logo compact />
          <Badge color="dark" variant="filled">
            Administration
          </Badge>
        </Group>
        <nav className={classes.nav} aria-label="Administration">
          <Link to="/admin/workspaces" className={classes.link}>
            <IconBuilding size={16} stroke={1.7} aria-hidden /> Workspaces
          </Link>
        </nav>
        <Group gap="md" wrap="nowrap" ml="auto">
          <LinkAnchor to="/data-sources" size="sm" className={classes.back}>
            <IconArrowLeft size={14} aria-hidden /> <span>Back to the product</span>
          </LinkAnchor>
          {person}
        </Group>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  )
}
