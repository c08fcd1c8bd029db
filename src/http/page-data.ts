import { toIso } from '../lib/iso'
import { getCookie } from 'hono/cookie'
import { issueCsrfToken } from './csrf'
import type { AppContext } from './context'
import type { Actor, Membership } from '../scope'
import { billingMode, isProviderConfigured, type Settings } from '../settings'
import { publicMonitoring } from '../monitoring/dsn'
import { enabledPilotFeatures } from '../entitlements/early-access-store'
import type { PilotKey } from '../shared/pilot/features'
import { PERMISSIONS } from '../shared/permissions'
import { picturePath } from '../shared/pictures'
import { THEMES, type CurrentUser, type CurrentWorkspace, type PageData, type PublicConfig } from '../shared/session'

/** What the page, and every call that changes the session, tells the browser. Never a token of the session. */
export async function buildPageData(c: AppContext): Promise<PageData> {
  const actor = c.get('actor')
  const theme = getCookie(c, 'theme')
  return {
    session: actor && { expiresAt: toIso(actor.sessionExpiresAt) },
    user: actor && toCurrentUser(actor),
    workspace: actor?.membership ? await toCurrentWorkspace(c, actor, actor.membership) : null,
    workspaces: actor?.workspaces ?? [],
    theme: THEMES.find((name) => name === theme) ?? 'system',
    csrfToken: await issueCsrfToken(c),
    config: publicConfigOf(c.get('deps').settings),
  }
}

const toCurrentUser = ({
  userId,
  name,
  email,
  avatarKey,
  locale,
  onboarding,
  staff,
  emailProven,
  earlierUse,
}: Actor): CurrentUser => ({
  id: userId,
  name,
  email,
  emailProven,
  earlierUse,
  avatar: picturePath(avatarKey),
  locale,
  onboarding,
  staff,
})

/** People of the portal and those without a seat have no part in early access. */
async function earlyAccessOf(c: AppContext, { userId }: Actor, membership: Membership): Promise<PilotKey[]> {
  if (membership.seat === 'none' || membership.role === 'client') return []
  const { workspaceId, entitlements } = membership
  return enabledPilotFeatures(c.get('deps'), { workspaceId, userId, entitlements })
}

const toCurrentWorkspace = async (c: AppContext, actor: Actor, membership: Membership): Promise<CurrentWorkspace> => ({
  id: membership.workspaceId,
  name: membership.workspaceName,
  role: membership.role,
  logo: picturePath(membership.logoKey),
  settings: membership.settings,
  version: membership.workspaceVersion,
  permissions: membership.seat === 'none' ? [] : PERMISSIONS[membership.role],
  seat: membership.seat,
  entitlements: membership.entitlements,
  viewAs: membership.viewAs,
  earlyAccess: await earlyAccessOf(c, actor, membership),
})

export const publicConfigOf = (settings: Settings): PublicConfig => ({
  appName: settings.APP_NAME,
  environment: settings.ENVIRONMENT,
  release: settings.RELEASE,
  themeSwitcher: settings.THEME_SWITCHER,
  signIn: {
    password: true,
    google: isProviderConfigured(settings, 'google'),
    microsoft: isProviderConfigured(settings, 'microsoft'),
    emailLink: settings.EMAIL_LINK,
    demo: settings.LOCAL_MODE,
  },
  appCheck: settings.TURNSTILE_SITE_KEY === undefined ? null : { siteKey: settings.TURNSTILE_SITE_KEY },
  billing: billingMode(settings),
  monitoring: publicMonitoring(settings),
})
