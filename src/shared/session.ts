import { z } from 'zod'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from './limits'
import { personNameSchema } from './field-schemas'
import type { PilotKey } from './pilot/features'
import type { Permission, Role } from './permissions'
import type { Entitlements } from './billing/entitlements'
import type { WorkspaceSettings } from './workspaces/workspaces'

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * The one canonical form of an address: ASCII, lower case. Quoted local parts, full-width signs, control
 * characters, trailing dots and anything past 254 characters answer `null`.
 */
export function canonicalEmail(text: string): string | null {
  if (text.length > 254 || !/^[\x21-\x7e]+$/.test(text)) return null
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1).toLowerCase()
  if (at < 1 || local.length > 64 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  return `${local.toLowerCase()}@${domain}`
}

export const emailSchema = z.string().transform((text, ctx) => {
  const email = canonicalEmail(text.trim() === text ? text : text.replace(/^ +| +$/g, ''))
  if (email !== null) return email
  ctx.addIssue({ code: 'custom', message: 'Enter an address like name@company.com.' })
  return z.NEVER
})

/** Passwords compare in NFC; length is checked before any hashing. */
export const passwordSchema = z
  .string()
  .max(PASSWORD_MAX_CHARS, { message: `At most ${PASSWORD_MAX_CHARS} characters.` })
  .refine((text) => !text.includes('\u0000'), { message: 'Use characters you can type.' })
  .transform((text) => text.normalize('NFC'))

/** A password that is chosen, not only given. */
export const newPasswordSchema = passwordSchema.refine((text) => text.length >= PASSWORD_MIN_CHARS, {
  message: `At least ${PASSWORD_MIN_CHARS} characters. Try a sentence.`,
})

export const registerSchema = z.strictObject({
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  acceptTerms: z.literal(true, { message: 'Accept the terms to continue.' }),
})
export type RegisterInput = z.input<typeof registerSchema>

export const signInSchema = z.strictObject({ email: emailSchema, password: passwordSchema })
export type SignInInput = z.input<typeof signInSchema>

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A workspace the signed-in person belongs to. */
export interface WorkspaceSummary {
  id: string
  name: string
  role: Role
  /** Path of the logo, or null. */
  logo: string | null
}

/** The workspace a page or request is in. */
export interface CurrentWorkspace extends WorkspaceSummary {
  settings: WorkspaceSettings
  version: number
  permissions: readonly Permission[]
  /** `none`: the plan has no room for this person, for whom everything here answers `read_only`. */
  seat: 'held' | 'none'
  entitlements: Entitlements
  /** Whose view of the data this browser has for now: nothing may be changed meanwhile. Null: the person's own. */
  viewAs: ViewAs | null
  /** Features of early access that are on for the person. */
  earlyAccess: readonly PilotKey[]
}

/** A view of somebody else, for who manages data access. */
export interface ViewAs {
  kind: 'member' | 'group' | 'role'
  /** Of the member or group, or the role. */
  name: string
  role: Role
  /** Whether rules hide something from who looks: nothing of that is shown. */
  limited: boolean
}

export type OnboardingStep = 'workspace' | 'profile' | 'source' | 'done'

export interface CurrentUser {
  id: string
  name: string
  /** Null when the person came by a provider that could not prove one. */
  email: string | null
  /** False: the address waits for its confirmation, and nothing of the person's reaches others. */
  emailProven: boolean
  /** What the account held before its address was proven waits for an answer: see `EarlierUse`. */
  earlierUse: boolean
  /** Path of the picture, or null. */
  avatar: string | null
  /** How dates and times are written; null = as the workspace writes numbers. */
  locale: string | null
  onboarding: OnboardingStep
  /** May open the administration. */
  staff: boolean
}

/** What the server writes into the HTML page. Never a token of the session. */
export interface PageData {
  session: { expiresAt: string } | null
  user: CurrentUser | null
  workspace: CurrentWorkspace | null
  workspaces: WorkspaceSummary[]
  theme: Theme
  csrfToken: string
  config: PublicConfig
}

/** Settings of the installation that a browser may know. */
export interface PublicConfig {
  appName: string
  environment: string
  release: string
  themeSwitcher: boolean
  signIn: { password: boolean; google: boolean; microsoft: boolean; emailLink: boolean; demo: boolean }
  /** Key of the widget that tells people from programs; null = none is shown. */
  appCheck: { siteKey: string } | null
  /** `test`: nothing is really charged. `off`: there is nothing to buy here. */
  billing: 'live' | 'test' | 'off'
  monitoring: { dsn: string; tunnel: string; tracesSampleRate: number } | null
}

/** Only a path of our own may follow a sign-in; anything else becomes the landing page. */
export function safeReturnPath(text: string | null | undefined): string {
  const landing = '/data-sources'
  if (text === null || text === undefined || text.length > 2000) return landing
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return landing
  try {
    const decoded = decodeURIComponent(text)
    if (/^\/[/\\]|[\\\u0000-\u001f]/.test(decoded)) return landing
    return text
  } catch {
    return landing
  }
}
