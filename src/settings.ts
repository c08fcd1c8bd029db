import { z } from 'zod'
import type { IdentityProvider } from './shared/account'
import { parsePoolLogin } from './outbound/database-pools'
import { BANK_TRANSFER_COUNTRY } from './shared/billing/plans'
import type { PublicConfig } from './shared/session'

const SAMPLE_SECRETS = ['changeme', 'secret', 'sample', 'example', 'replace-me', 'password']
const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((text) => text === '1' || text === 'true')

/** At least 32 bytes, and not one of the values people copy from a guide. */
const secret = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length >= 32, { message: 'at least 32 bytes' })
  .refine((text) => new Set(text).size >= 8 && !SAMPLE_SECRETS.some((word) => text.toLowerCase().startsWith(word)), {
    message: 'a random value, not a sample',
  })

/** Empty is absent: templates of settings files leave what is not used empty. */
const optional = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text))

/** A stand-in on a person's own machine is named by https too; in local mode loopback is called without it. */
const issuer = z.url({ protocol: /^https$/ })

const KEY_ENTRY = /^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=$/i
const isKeyring = (text: string): boolean => text.split(',').every((entry) => KEY_ENTRY.test(entry.trim()))

/** An address to write to, as `mailto:`; or a page, by https. */
const securityContact = z.union([
  z.email().transform((address) => `mailto:${address}`),
  z.string().regex(/^mailto:[^\s@]+@[^\s@]+$/),
  z.url({ protocol: /^https$/ }),
])

const isAllowedAddress = (text: string, local: boolean): boolean =>
  URL.canParse(text) && (local || text.startsWith('https://'))

const settingsFields = z.object({
  APP_NAME: z.string().min(1).default('Insikt'),
  BASE_URL: z.url(),
  ENVIRONMENT: z.string().default('production'),
  RELEASE: z.string().default('dev'),
  LOCAL_MODE: flag,
  THEME_SWITCHER: flag,
  SESSION_SECRET: secret,
  /** Where browser and Worker report errors; absent = monitoring off. */
  SENTRY_DSN: z.url().optional(),
  /** Organisation id, when the host of the DSN does not name it. */
  SENTRY_ORG: z.string().optional(),
  /** Where the objects that hold rows and counters are kept; empty = the platform decides. Set once, before the first use. */
  JURISDICTION: z.enum(['', 'eu']).default(''),
  /** In local mode only: the demo person's password. */
  DEMO_PASSWORD: z.string().min(12).optional(),
  /** Keys at Google; both present = sign-in with Google is offered. */
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  GOOGLE_ISSUER: issuer.default('https://accounts.google.com'),
  /** Keys at Microsoft Entra; both present = sign-in with Microsoft is offered. `common` = any tenant. */
  MICROSOFT_CLIENT_ID: optional,
  MICROSOFT_CLIENT_SECRET: optional,
  MICROSOFT_ISSUER: issuer.default('https://login.microsoftonline.com/common/v2.0'),
  /** Sign-in by a link in a mail. */
  EMAIL_LINK: flag,
  /** Absent: mails are sent nowhere; local mode shows them at /dev/mail. */
  SMTP_HOST: optional,
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535).default(587),
  SMTP_USER: optional,
  SMTP_PASSWORD: optional,
  /** Who mails come from: `Insikt <no-reply@example.com>` or the bare address. */
  MAIL_FROM: z.string().default('Insikt <no-reply@localhost>'),
  /** Turnstile: with a site key, sign-up, sign-in and reset carry its token, and the server verifies it. */
  TURNSTILE_SITE_KEY: optional,
  TURNSTILE_SECRET: optional,
  TURNSTILE_VERIFY_URL: z.url().default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  /** Keys at Stripe; absent = nothing can be bought here. A key of its test mode makes the screens say so. */
  STRIPE_SECRET_KEY: optional,
  /** Signs the events that Stripe sends to `/api/stripe/webhook`. */
  STRIPE_WEBHOOK_SECRET: optional,
  /** In local mode: where the stand-in answers. */
  STRIPE_API_URL: z.url().default('https://api.stripe.com'),
  /** Country of the account that bank transfers go to. */
  BANK_TRANSFER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default(BANK_TRANSFER_COUNTRY),
  /** Where questions about plans made for a workspace go; absent = to the address mails come from. */
  SALES_EMAIL: optional,
  /** Where weaknesses are reported, shown in `/.well-known/security.txt`: an email address or a page; absent = no such file. */
  SECURITY_CONTACT: optional.pipe(securityContact.optional()),
  /** The page that says how reports are handled. */
  SECURITY_POLICY: optional.pipe(z.url({ protocol: /^https$/ }).optional()),
  /** Exchange rates are fetched daily. Off: those that come with the product and those a workspace sets are all. */
  RATES_FETCH: z
    .enum(['', '0', '1', 'true', 'false'])
    .default('1')
    .transform((text) => text !== '0' && text !== 'false'),
  /** Folder of the European Central Bank's files of rates, or a copy; empty = the bank's own, in local mode none. */
  RATES_URL: optional,
  /** An OpenAI-compatible endpoint with its path, such as `https://api.example.com/v1`; absent and no binding `AI` = no model. */
  AI_BASE_URL: optional,
  /** The model that is asked; needed beside `AI_BASE_URL` or the binding. */
  AI_MODEL: optional,
  AI_API_KEY: optional,
  /** Keys of our app at Fortnox, with a service account; both present = Fortnox can be connected. */
  FORTNOX_CLIENT_ID: optional,
  FORTNOX_CLIENT_SECRET: optional,
  /** In local mode: where the stand-in answers. */
  FORTNOX_API_URL: z.url().default('https://api.fortnox.se'),
  FORTNOX_ACCOUNTS_URL: z.url().default('https://apps.fortnox.se'),
  /** Keys of our app at Google for spreadsheets, apart from those of sign-in; both present = Google Sheets can be connected. */
  SHEETS_CLIENT_ID: optional,
  SHEETS_CLIENT_SECRET: optional,
  /** In local mode: where the stand-in answers. */
  SHEETS_API_URL: z.url().default('https://sheets.googleapis.com'),
  SHEETS_DRIVE_URL: z.url().default('https://www.googleapis.com'),
  SHEETS_TOKEN_URL: z.url().default('https://oauth2.googleapis.com'),
  SHEETS_CONSENT_URL: z.url().default('https://accounts.google.com'),
  /** Keys of our app at Visma; both present = Visma eAccounting (Spiris) can be connected. */
  VISMA_CLIENT_ID: optional,
  VISMA_CLIENT_SECRET: optional,
  /** In local mode: where the stand-in answers. */
  VISMA_API_URL: z.url().default('https://eaccountingapi.vismaonline.com'),
  VISMA_IDENTITY_URL: z.url().default('https://identity.vismaonline.com'),
  /** Stripe as a source, apart from our own billing. In local mode: where the stand-in answers. */
  STRIPE_SOURCE_URL: z.url().default('https://api.stripe.com'),
  /** In local mode: where the stand-in for all stores of Shopify answers. Absent: each store at its own address. */
  SHOPIFY_SOURCE_URL: optional,
  /**
   * Databases that are reached through Hyperdrive: `BINDING=postgresql://user:password@host:port/database`, separated by blanks.
   * A source whose login is one of these is read through its binding.
   */
  HYPERDRIVE_LOGINS: optional.pipe(
    z
      .string()
      .refine((text) => text.split(/\s+/).every((entry) => entry === '' || parsePoolLogin(entry) !== null), {
        message: 'BINDING=postgresql://user:password@host:port/database, separated by blanks',
      })
      .optional(),
  ),
  /** In local mode and tests only: exact `host:port` targets that outgoing calls may reach. */
  TEST_ALLOWED_TARGETS: z.string().default(''),
  /** Keys that seal the credentials of sources: `id:base64 of 32 bytes`, separated by commas, the current one first. Absent = none can be connected. */
  SECRETS_KEYS: optional.pipe(
    z
      .string()
      .refine((text) => isKeyring(text), { message: 'pairs of id:base64 of 32 bytes' })
      .optional(),
  ),
})
/** Addresses of the installation: no one but it may listen in. */
const OPERATOR_ADDRESSES = [
  ...(['STRIPE_API_URL', 'TURNSTILE_VERIFY_URL', 'SENTRY_DSN', 'RATES_URL', 'AI_BASE_URL'] as const),
  ...(['SHEETS_API_URL', 'SHEETS_DRIVE_URL', 'SHEETS_TOKEN_URL', 'SHEETS_CONSENT_URL'] as const),
  ...(['FORTNOX_API_URL', 'FORTNOX_ACCOUNTS_URL', 'STRIPE_SOURCE_URL', 'SHOPIFY_SOURCE_URL'] as const),
  ...(['VISMA_API_URL', 'VISMA_IDENTITY_URL'] as const),
]
const settingsSchema = settingsFields
  .refine((given) => !given.TURNSTILE_SITE_KEY || given.TURNSTILE_SECRET, {
    path: ['TURNSTILE_SECRET'],
    message: 'needed beside TURNSTILE_SITE_KEY',
  })
  .refine((given) => !given.STRIPE_SECRET_KEY || given.STRIPE_WEBHOOK_SECRET, {
    path: ['STRIPE_WEBHOOK_SECRET'],
    message: 'needed beside STRIPE_SECRET_KEY',
  })
  .refine((given) => !given.AI_BASE_URL || given.AI_MODEL, {
    path: ['AI_MODEL'],
    message: 'needed beside AI_BASE_URL',
  })
  .superRefine((given, context) => {
    for (const name of OPERATOR_ADDRESSES) {
      const address = given[name]
      if (address !== undefined && !isAllowedAddress(address, given.LOCAL_MODE))
        context.addIssue({ code: 'custom', path: [name], message: 'an https address, except in local mode' })
    }
  })

export type Settings = z.infer<typeof settingsSchema>

type SettingsResult = { ok: true; settings: Settings } | { ok: false; problem: string }

/** The platform hands every request the same bindings: they are read once. */
const parsedByEnv = new WeakMap<object, SettingsResult>()

/** The parsed settings, or what is wrong with them in words for the log (never for a body). */
export function readSettings(env: Record<string, unknown>): SettingsResult {
  const before = parsedByEnv.get(env)
  if (before) return before
  const read = parseSettings(env)
  parsedByEnv.set(env, read)
  return read
}

function parseSettings(env: Record<string, unknown>): SettingsResult {
  const parsed = settingsSchema.safeParse(env)
  if (parsed.success) return { ok: true, settings: parsed.data }
  return {
    ok: false,
    problem: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  }
}

/** Whether anything can be bought here, and whether it costs real money. */
export const billingMode = ({ STRIPE_SECRET_KEY: key }: Settings): PublicConfig['billing'] =>
  key === undefined ? 'off' : /^[rs]k_test_/.test(key) ? 'test' : 'live'

/** Whether sign-in with a provider is configured. */
export const isProviderConfigured = (settings: Settings, provider: IdentityProvider): boolean =>
  provider === 'google'
    ? settings.GOOGLE_CLIENT_ID !== undefined && settings.GOOGLE_CLIENT_SECRET !== undefined
    : settings.MICROSOFT_CLIENT_ID !== undefined && settings.MICROSOFT_CLIENT_SECRET !== undefined
