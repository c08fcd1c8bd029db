import { notFound, redirect } from '@tanstack/react-router'
import { session } from '../lib/session'
import { safeReturnPath, type OnboardingStep } from '../../src/shared/session'

const STEP_PATH = {
  workspace: '/onboarding/workspace',
  profile: '/onboarding/profile',
  source: '/onboarding/source',
  done: '/data-sources',
} as const satisfies Record<OnboardingStep, string>

export interface GuardContext {
  location: { href: string; pathname: string }
}

const toLogin = ({ location }: GuardContext) => redirect({ to: '/login', search: { return: location.href } })

const EARLIER_USE_PATH = '/auth/earlier-use'

/** The question what stays of an account that was used before its address was proven: once, and before everything else. */
export function requireEarlierUse(context: GuardContext): void {
  const { user } = session()
  if (!user) throw toLogin(context)
  if (!user.earlierUse) throw redirect({ to: STEP_PATH.done, replace: true })
}

const NO_WORKSPACE_PATH = '/no-workspace'
/** A person's own settings are of no workspace. */
export const isPersonalPage = (path: string): boolean => path.startsWith('/settings/profile')

/** Pages of the product: signed in, first steps done. */
export function requireWorkspace(context: GuardContext): void {
  const { user, workspace } = session()
  if (!user) throw toLogin(context)
  if (user.earlierUse) throw redirect({ to: EARLIER_USE_PATH })
  if (!workspace && user.onboarding !== 'workspace') {
    if (isPersonalPage(context.location.pathname)) return
    throw redirect({ to: NO_WORKSPACE_PATH })
  }
  const step: OnboardingStep = workspace ? user.onboarding : 'workspace'
  if (step !== 'done') throw redirect({ to: STEP_PATH[step] })
}

/** For people who were in a workspace and are in none now. */
export function requireNoWorkspace(context: GuardContext): void {
  const { user, workspace } = session()
  if (!user) throw toLogin(context)
  if (user.earlierUse) throw redirect({ to: EARLIER_USE_PATH })
  if (workspace) throw redirect({ to: STEP_PATH.done, replace: true })
  if (user.onboarding === 'workspace') throw redirect({ to: STEP_PATH.workspace, replace: true })
}

/** The administration exists for staff of the operator only. */
export function requireStaff(context: GuardContext): void {
  const { user } = session()
  if (!user) throw toLogin(context)
  if (!user.staff) throw notFound()
}

/** A first step: signed in, and no step before it is missing. A finished person adds workspaces on the first one. */
export function requireOnboardingStep(step: 'workspace' | 'profile' | 'source') {
  return (context: GuardContext): void => {
    const { user, workspace } = session()
    if (!user) throw toLogin(context)
    if (user.earlierUse) throw redirect({ to: EARLIER_USE_PATH })
    if (step !== 'workspace' && !workspace) throw redirect({ to: STEP_PATH.workspace })
    if (step !== 'workspace' && user.onboarding === 'done') throw redirect({ to: STEP_PATH.done })
  }
}

/** Sign-in and registration are for people who are not signed in. */
export function requireSignedOut({ search }: { search: { return?: string | undefined } }): void {
  if (session().user) throw redirect({ href: safeReturnPath(search.return), replace: true })
}
