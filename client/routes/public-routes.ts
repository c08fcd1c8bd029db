import { BareLayoutSkeleton } from '../ui/layout-skeleton'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute } from './root'
import { deletedSearch, returnSearch, signInSearch } from './search-params'
import {
  requireEarlierUse,
  requireNoWorkspace,
  requireSignedOut,
  requireOnboardingStep,
  requireWorkspace,
} from './route-guards'

export const customLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'custom',
  component: lazyRouteComponent(() => import('../ui/custom-layout'), 'CustomLayout'),
  // Over a slow line its code is on its way for seconds: the first paint stays as it is.
  pendingComponent: BareLayoutSkeleton,
  pendingMs: 0,
})
const child = { getParentRoute: () => customLayout }

export const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/data-sources', replace: true })
  },
})

export const loginRoute = createRoute({
  ...child,
  path: '/login',
  validateSearch: signInSearch,
  beforeLoad: requireSignedOut,
  component: lazyRouteComponent(() => import('./login-route'), 'LoginRoute'),
})

export const registerRoute = createRoute({
  ...child,
  path: '/register',
  validateSearch: returnSearch,
  beforeLoad: requireSignedOut,
  component: lazyRouteComponent(() => import('./register-route'), 'RegisterRoute'),
})

export const termsRoute = createRoute({
  ...child,
  path: '/terms',
  component: lazyRouteComponent(() => import('../features/identity/terms-screen'), 'TermsScreen'),
})

export const resetRoute = createRoute({
  ...child,
  path: '/reset',
  component: lazyRouteComponent(() => import('./reset-route'), 'ResetRoute'),
})

export const signInLinkRoute = createRoute({
  ...child,
  path: '/auth/link',
  validateSearch: returnSearch,
  component: lazyRouteComponent(() => import('./sign-in-link-route'), 'SignInLinkRoute'),
})

export const confirmEmailRoute = createRoute({
  ...child,
  path: '/auth/email',
  component: lazyRouteComponent(() => import('../features/identity/confirm-email-screen'), 'EmailScreen'),
})

export const confirmAddressRoute = createRoute({
  ...child,
  path: '/auth/confirm',
  component: lazyRouteComponent(() => import('../features/identity/confirm-address-screen'), 'ConfirmAddressScreen'),
})

export const earlierUseRoute = createRoute({
  ...child,
  path: '/auth/earlier-use',
  beforeLoad: requireEarlierUse,
  component: lazyRouteComponent(() => import('./earlier-use-route'), 'EarlierUseRoute'),
})

export const consentRoute = createRoute({
  ...child,
  path: '/oauth/authorize',
  beforeLoad: requireWorkspace,
  component: lazyRouteComponent(() => import('./programs/consent-route'), 'ConsentRoute'),
})

export const undeleteRoute = createRoute({
  ...child,
  path: '/auth/undelete',
  validateSearch: deletedSearch,
  component: lazyRouteComponent(() => import('./undelete-route'), 'UndeleteRoute'),
})

export const invitationRoute = createRoute({
  ...child,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation-route'), 'InvitationRoute'),
})

export const reportInvitationRoute = createRoute({
  ...child,
  path: '/invitation/report',
  component: lazyRouteComponent(() => import('./report-invitation-route'), 'ReportInvitationRoute'),
})

/** By the link in a mail, signed in or not. */
export const unsubscribeRoute = createRoute({
  ...child,
  path: '/reports/unsubscribe',
  component: lazyRouteComponent(() => import('./reports/unsubscribe-route'), 'UnsubscribeRoute'),
})

/** A page of its own frame: whoever is in no workspace has no product around it. */
export const noWorkspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/no-workspace',
  beforeLoad: requireNoWorkspace,
  component: lazyRouteComponent(() => import('./no-workspace-route'), 'NoWorkspaceRoute'),
})

export const workspaceStepRoute = createRoute({
  ...child,
  path: '/onboarding/workspace',
  beforeLoad: requireOnboardingStep('workspace'),
  component: lazyRouteComponent(() => import('./workspace-step-route'), 'WorkspaceStepRoute'),
})

export const profileStepRoute = createRoute({
  ...child,
  path: '/onboarding/profile',
  beforeLoad: requireOnboardingStep('profile'),
  component: lazyRouteComponent(() => import('./profile-step-route'), 'ProfileStepRoute'),
})

export const sourceStepRoute = createRoute({
  ...child,
  path: '/onboarding/source',
  beforeLoad: requireOnboardingStep('source'),
  component: lazyRouteComponent(() => import('./sources/source-step-route'), 'SourceStepRoute'),
})
