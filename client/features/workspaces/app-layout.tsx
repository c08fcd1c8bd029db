import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import classes from './app-layout.module.css'
import { ReducedRoleBanner, PaymentOverdueBanner } from './subscription-banners'
import { NavigationFooter, NavigationLinks } from './navigation'
import { LoadFailureNotices } from './load-failure-notices'
import { TopBar } from './top-bar'
import { ViewAsBanner } from './view-as-banner'
import { useLiveUpdates } from '../../lib/live-updates'
import { useSession } from '../../lib/session'
import { SUBSCRIPTION_PAGE } from '../../lib/plan/upgrade-offer'
import { ConfirmEmailNotice } from '../../ui/confirm-email-notice'
import { Logo } from '../../ui/logo'
import { ReadOnlyBanner } from '../../ui/read-only-banner'
import { SideDrawer } from '../../ui/dialog'

/** The product's shell: navigation at the left (a drawer under 900 px), bar on top, the screen. */
export function AppLayout({ children }: { children: ReactNode }) {
  const [drawer, { open, close }] = useDisclosure(false)
  const [collapsed, setCollapsed] = useLocalStorage({ key: 'navigation-collapsed', defaultValue: false })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { workspace } = useSession()
  useEffect(close, [path, close])
  useLiveUpdates()
  return (
    <div className={classes.shell} data-collapsed={collapsed}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <aside className={classes.side} aria-label="Navigation">
        <Link to="/data-sources" className={classes.brand}>
          <Logo compact={collapsed} />
        </Link>
        <NavigationLinks collapsed={collapsed} />
        <NavigationFooter collapsed={collapsed} onToggle={() => setCollapsed(!collapsed)} />
      </aside>
      <SideDrawer
        opened={drawer}
        onClose={close}
        size={280}
        title={<Logo />}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <NavigationLinks collapsed={false} />
        <NavigationFooter collapsed={false} />
      </SideDrawer>
      <div className={classes.body}>
        <TopBar onMenu={open} />
        <main id="main" tabIndex={-1} className={classes.main}>
          <ViewAsBanner />
          <ConfirmEmailNotice />
          {/* The page of the subscription says all of it itself. */}
          {!path.startsWith(SUBSCRIPTION_PAGE) && (
            <>
              <ReadOnlyBanner reason={workspace?.entitlements.readOnly ?? null} />
              <PaymentOverdueBanner />
              <ReducedRoleBanner />
            </>
          )}
          {children}
          <LoadFailureNotices />
        </main>
      </div>
    </div>
  )
}
