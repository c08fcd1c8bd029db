import { PERMISSIONS, type Role } from '../../src/shared/permissions'
import type { Entitlements } from '../../src/shared/billing/entitlements'
import { planById, TRIAL_FEATURES, type PlanFeatures, type PlanId } from '../../src/shared/billing/plans'
import type { PageData } from '../../src/shared/session'

export const ANNA = {
  id: 'usr_anna',
  name: 'Anna Lindqvist',
  email: 'anna@example.com',
  emailProven: true,
  earlierUse: false,
  avatar: null,
  locale: null,
  onboarding: 'done',
  staff: false,
} as const

/** Page data of a visitor who is not signed in. */
export const visitorPageData = (over: Partial<PageData> = {}): PageData => ({
  session: null,
  user: null,
  workspace: null,
  workspaces: [],
  theme: 'light',
  csrfToken: 'token-1',
  config: {
    appName: 'Insikt',
    environment: 'test',
    release: 'test',
    themeSwitcher: false,
    signIn: { password: true, google: false, microsoft: false, emailLink: false, demo: false },
    appCheck: null,
    billing: 'test',
    monitoring: null,
  },
  ...over,
})

/** Page data of Anna in a Swedish workspace, in this role and with these features. */
export function memberPageData(role: Role = 'owner', features: Partial<PlanFeatures> = {}): PageData {
  const summary = { id: 'ws_one', name: 'Nordträ', role, logo: null }
  return visitorPageData({
    session: { expiresAt: '2026-12-01T00:00:00.000Z' },
    user: ANNA,
    workspace: {
      ...summary,
      settings: {
        country: 'SE',
        currency: 'SEK',
        numberLocale: 'sv-SE',
        timeZone: 'Europe/Stockholm',
        fiscalYearStart: 1,
        weekStart: 'monday',
      },
      version: 1,
      permissions: PERMISSIONS[role],
      seat: 'held',
      viewAs: null,
      earlyAccess: [],
      entitlements: {
        state: 'trialing',
        planId: null,
        features: { ...TRIAL_FEATURES, ...features },
        addOns: {},
        syncPace: { hours: 6, sources: null, otherHours: 6 },
        readOnly: null,
        trialEndsAt: null,
        graceEndsAt: null,
        periodEndsAt: null,
      },
    },
    workspaces: [summary],
  })
}

/** Anna's page data where this plan is paid for; `entitlements` says what else differs. */
export function pageDataOnPlan(role: Role, planId: PlanId, entitlements: Partial<Entitlements> = {}): PageData {
  const data = memberPageData(role)
  if (!data.workspace) return data
  const features = planById(planId)?.features ?? TRIAL_FEATURES
  const given = { ...data.workspace.entitlements, state: 'active' as const, planId, features, ...entitlements }
  return { ...data, workspace: { ...data.workspace, entitlements: given } }
}
