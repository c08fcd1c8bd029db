import { z } from 'zod'
import { nameSchema } from '../field-schemas'
import { passwordSchema } from '../session'

/** What a program may do in a person's name: read figures and what explains them; have questions in words answered. */
export const TOKEN_SCOPES = ['read', 'ask'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]
export const TOKEN_SCOPE_LABELS: Record<TokenScope, string> = { read: 'Read', ask: 'Ask' }
export const TOKEN_SCOPE_PURPOSES: Record<TokenScope, string> = {
  read: 'See metrics, insights, reports, findings and forecasts you can see',
  ask: 'Ask questions in words; answers may use AI messages',
}

/** Live tokens of a person in one workspace. */
export const ACCESS_TOKENS_MAX = 10
export const TOKEN_DAYS_MAX = 365
export const TOKEN_DAYS_DEFAULT = 90
/** Choices of the screen, in days. */
export const TOKEN_DAYS = [7, 30, 90, 180, 365] as const
/** Random bytes of a token: 160 bits. */
export const TOKEN_BYTES = 20

/** What secrets begin with, so that whoever finds one knows whose it is. */
export const TOKEN_PREFIXES = {
  personal: 'insikt_pat_',
  app: 'insikt_app_',
  refresh: 'insikt_ref_',
  code: 'insikt_code_',
} as const
/** What a program may ask with; refresh tokens and codes open nothing. */
export const ACCESS_TOKEN = /^insikt_(pat|app)_[0-9a-f]{40}$/

export const tokenScopesSchema = z
  .array(z.enum(TOKEN_SCOPES))
  .min(1, { message: 'Choose at least one.' })
  .max(TOKEN_SCOPES.length)
  .transform((given) => TOKEN_SCOPES.filter((scope) => given.includes(scope)))

/** `POST /api/access-tokens`: for the workspace that the call names. */
export const createAccessTokenSchema = z.strictObject({
  name: nameSchema,
  scopes: tokenScopesSchema,
  days: z.int().min(1).max(TOKEN_DAYS_MAX).default(TOKEN_DAYS_DEFAULT),
  password: passwordSchema.optional(),
})

/** `ended`: a new password, another role or a suspension ended it. */
export type TokenState = 'live' | 'expired' | 'ended'

export interface AccessToken {
  id: string
  name: string
  workspaceId: string
  workspaceName: string
  scopes: TokenScope[]
  state: TokenState
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
}
/** The one answer that has the token itself. */
export interface CreatedAccessToken extends AccessToken {
  token: string
}
