import { PLANNED_FEATURES } from './planned-features'

/**
 * The pages that exist, as the client's router writes them. The server answers 404 (with the page, which says so) for
 * every other path. `client/routes/pages.test.ts` holds the router's tree equal to this list.
 */
export const PAGE_PATHS = [
  '/',
  '/login',
  '/register',
  '/terms',
  '/invitation',
  '/invitation/report',
  '/reset',
  '/auth/link',
  '/auth/email',
  '/auth/confirm',
  '/auth/earlier-use',
  '/auth/undelete',
  '/oauth/authorize',
  '/no-workspace',
  '/onboarding/workspace',
  '/onboarding/profile',
  '/onboarding/source',
  '/data-sources',
  '/data-sources/new',
  '/data-sources/new/$kind',
  '/data-sources/$id',
  '/data-grouping',
  '/data-grouping/$id',
  '/insights',
  '/insights/new',
  '/insights/$id',
  '/insight-bot',
  '/metrics',
  '/metrics/$id',
  '/pilot',
  '/alerts',
  '/alerts/$id',
  '/forecasts',
  '/forecasts/new',
  '/forecasts/$id',
  '/reports',
  '/reports/unsubscribe',
  '/reports/interactive',
  '/reports/interactive/$id',
  '/reports/legacy',
  '/reports/legacy/$id',
  '/reports/legacy/$id/editions/$n',
  '/settings/workspace',
  '/settings/workspace/deleted',
  '/settings/workspace/members',
  '/settings/workspace/members/invite',
  '/settings/workspace/subscription',
  '/settings/workspace/subscription/checkout',
  '/settings/workspace/accounts',
  '/settings/workspace/currency',
  '/settings/workspace/audit',
  '/settings/workspace/data-access',
  '/settings/profile',
  '/settings/profile/authentication',
  '/admin/workspaces',
  ...PLANNED_FEATURES.map(({ path }) => path),
] as const

const PAGE_PATTERNS = PAGE_PATHS.map((path) => new RegExp(`^${path.replace(/\$[a-zA-Z]+/g, '[^/]+')}$`))

/** Pages that exist only for staff of the operator: to everybody else the address is unknown. */
export const isStaffPagePath = (path: string): boolean => path.startsWith('/admin/')

/** Whether a page lives at this path; a slash at the end changes nothing. */
export function isPagePath(path: string): boolean {
  const bare = path.length > 1 ? path.replace(/\/$/, '') : path
  return PAGE_PATTERNS.some((expression) => expression.test(bare))
}

/** What every page of a member loads, as soon as the app's own code runs. */
const FRAME = ['client/routes/app-layout-route.tsx', 'client/routes/signed-in-parts.tsx'] as const
/** Screens whose code is asked for together with the app's, instead of after that ran. */
const SCREENS: readonly { path: RegExp; part: string }[] = [
  { path: /^\/reports\/(interactive|legacy)\/[^/]+\/?$/, part: 'client/routes/reports/report-route.tsx' },
]

/** The modules of the client that a member's page at this path is made of, beside the app. */
export const partsOfPage = (path: string): string[] => [
  ...FRAME,
  ...SCREENS.flatMap((screen) => (screen.path.test(path) ? [screen.part] : [])),
]
