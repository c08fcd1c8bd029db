import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute } from './root'
import { returnSearch } from './search'
import { needsNobody, needsStep } from './session-rules'

export const customLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'custom',
  component: lazyRouteComponent(() => import('../ui/custom-layout'), 'CustomLayout'),
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
  validateSearch: returnSearch,
  beforeLoad: needsNobody,
  component: lazyRouteComponent(() => import('./login-route'), 'LoginRoute'),
})

export const registerRoute = createRoute({
  ...child,
  path: '/register',
  validateSearch: returnSearch,
  beforeLoad: needsNobody,
  component: lazyRouteComponent(() => import('./register-route'), 'RegisterRoute'),
})

export const termsRoute = createRoute({
  ...child,
  path: '/terms',
  component: lazyRouteComponent(() => import('../features/auth/terms-screen'), 'TermsScreen'),
})

export const workspaceStepRoute = createRoute({
  ...child,
  path: '/onboarding/workspace',
  beforeLoad: needsStep('workspace'),
  component: lazyRouteComponent(() => import('./workspace-step-route'), 'WorkspaceStepRoute'),
})

export const profileStepRoute = createRoute({
  ...child,
  path: '/onboarding/profile',
  beforeLoad: needsStep('profile'),
  component: lazyRouteComponent(() => import('./profile-step-route'), 'ProfileStepRoute'),
})

export const sourceStepRoute = createRoute({
  ...child,
  path: '/onboarding/source',
  beforeLoad: needsStep('source'),
  component: lazyRouteComponent(() => import('./source-step-route'), 'SourceStepRoute'),
})
