import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './app-layout.module.css'
import { PersonMenu } from './person-menu'
import { ConfirmEmailNotice } from '../../ui/confirm-email-notice'
import { Logo } from '../../ui/logo'

/** Around pages of a person who is in no workspace: nothing to navigate but their own account. */
export function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <div className={classes.body} style={{ minHeight: '100dvh' }}>
      <header className={classes.bar}>
        <Link to="/no-workspace" style={{ color: 'inherit', textDecoration: 'none' }}>
          <Logo />
        </Link>
        <div className={classes.barEnd}>
          <PersonMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <ConfirmEmailNotice />
        {children}
      </main>
    </div>
  )
}
