import { z } from 'zod'
import { personNameSchema } from './field-schemas'
import { idSchema, type IdKind } from './ids'
import type { Role } from './permissions'
import { emailSchema, newPasswordSchema, passwordSchema } from './session'
import { GOALS, type Goal } from './workspaces/workspaces'

export const IDENTITY_PROVIDERS = ['google', 'microsoft'] as const
/** Who else can say who a person is. */
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number]
export const IDENTITY_PROVIDER_NAMES: Record<IdentityProvider, string> = { google: 'Google', microsoft: 'Microsoft' }

/** What is emailed to a person unless they turn it off. */
export const NOTIFICATION_KINDS = [
  'alerts',
  'digests',
  'findings',
  'mentions',
  'ownLoadFailed',
  'loadFailed',
  'billing',
  'newSignIn',
  'invitationAccepted',
  'membershipChanged',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]
/** Which mails a person wants. What concerns the safety of the account is sent always. */
export type NotificationSettings = Record<NotificationKind, boolean>
export const NOTIFICATION_DEFAULTS: NotificationSettings = {
  alerts: true,
  digests: true,
  findings: true,
  mentions: true,
  ownLoadFailed: true,
  loadFailed: false,
  billing: true,
  newSignIn: true,
  invitationAccepted: true,
  membershipChanged: true,
}

export const AVATAR_MAX_BYTES = 2 * 1024 * 1024
export const LOGO_MAX_BYTES = 1024 * 1024
/** Pictures that are taken, found by their bytes; SVG is a program, not a picture. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** How dates and times are written for a person. */
export const USER_LOCALES = ['en-GB', 'en-US', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'de-DE', 'fr-FR', 'nl-NL'] as const

/** PUT /api/profile: what is changed. What is left out stays, so that two windows change two things. */
export const profileSchema = z
  .strictObject({
    name: personNameSchema.optional(),
    job: z
      .string()
      .max(80)
      .transform((text) => text.trim())
      .optional(),
    goals: z.array(z.enum(GOALS)).max(GOALS.length).optional(),
    /** null = as the workspace writes them. */
    locale: z.enum(USER_LOCALES).nullable().optional(),
    notifications: z
      .strictObject({
        alerts: z.boolean(),
        digests: z.boolean(),
        findings: z.boolean(),
        mentions: z.boolean(),
        ownLoadFailed: z.boolean(),
        loadFailed: z.boolean(),
        billing: z.boolean(),
        newSignIn: z.boolean(),
        invitationAccepted: z.boolean(),
        membershipChanged: z.boolean(),
      })
      .partial()
      .optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, { message: 'Nothing to change.' })
export type ProfileInput = z.input<typeof profileSchema>
export type ProfileChanges = z.output<typeof profileSchema>

/** GET /api/profile: what a person said about themselves. */
export interface Profile {
  name: string
  email: string | null
  job: string
  goals: Goal[]
  locale: string | null
  notifications: NotificationSettings
  /** Path of the picture, or null for initials. */
  avatar: string | null
}

/** `<id of the link>.<64 hex characters>`: opaque to everybody but the server. */
export const LINK_TOKEN = /^(lnk|inv)_[0-9a-z]{20}\.[0-9a-f]{64}$/
export const linkTokenSchema = z.string().regex(LINK_TOKEN, {
  message: 'Link incomplete. Open it from the email again.',
})

/** POST /api/account/reset: the same answer for known and unknown addresses. */
export const resetRequestSchema = z.strictObject({ email: emailSchema })
/** POST /api/account/reset/confirm: answers {@link PageData}, signed in; every other session has ended. */
export const resetConfirmSchema = z.strictObject({ token: linkTokenSchema, password: newPasswordSchema })

/** PUT /api/account/password. `current` is left out by people who have none yet and signed in within {@link RECENT_SIGN_IN_MS}. */
export const changePasswordSchema = z.strictObject({ current: passwordSchema.optional(), next: newPasswordSchema })

/** A sign-in this young stands for the password where a person has none. */
export const RECENT_SIGN_IN_MS = 10 * 60 * 1000
/** What proves that it is really the person: the password, or nothing within {@link RECENT_SIGN_IN_MS} of a sign-in by people without one. */
export const reauthenticationSchema = z.strictObject({ password: passwordSchema.optional() })

/** PUT /api/account/email: both addresses get a mail, and both must confirm; of an unproven address only the new one. */
export const changeEmailSchema = z.strictObject({ email: emailSchema, password: passwordSchema.optional() })
/** GET /api/account/email. */
export interface EmailChange {
  email: string | null
  pending: { email: string; oldConfirmed: boolean; newConfirmed: boolean; expiresAt: string } | null
}
/** Answer of POST /api/account/email/confirm. `changed`: both sides have confirmed, and the address is the new one. */
export interface EmailConfirmation {
  changed: boolean
  email: string
}

/**
 * GET /api/account/earlier-use: what an account held when a mailbox proved its address by another way than the link of
 * the registration mail. Somebody else may have made it, so it stays detached until the person has said what is theirs.
 */
export interface EarlierUse {
  provenAt: string
  /** Sessions from before; all of them have ended. */
  sessions: { device: string; country: string | null; signedInAt: string }[]
  /** Providers that signed in to the account; none does until it is kept. */
  signIns: { id: string; provider: IdentityProvider; email: string | null }[]
  workspaces: EarlierWorkspace[]
}
export interface EarlierWorkspace {
  id: string
  name: string
  createdAt: string
  dataSources: number
  /** Other people in it, suspended until they are kept. */
  members: { userId: string; name: string; email: string | null; role: Role }[]
  /** Invitations whose links do not work until they are kept. */
  invites: { id: string; email: string; role: Role }[]
}
const keptIds = (kind: IdKind) => z.array(idSchema(kind)).max(1000).default([])
/** POST /api/account/earlier-use: what stays; everything else of {@link EarlierUse} is removed. */
export const answerEarlierUseSchema = z.strictObject({
  workspaces: keptIds('workspace'),
  /** Members of kept workspaces. */
  members: z
    .array(z.strictObject({ workspaceId: idSchema('workspace'), userId: idSchema('user') }))
    .max(1000)
    .default([]),
  invites: keptIds('invite'),
  signIns: keptIds('account'),
  /** Asked for when a way in stays or a workspace goes; people without one need a recent sign-in instead. */
  password: passwordSchema.optional(),
})
export type EarlierUseAnswer = Omit<z.output<typeof answerEarlierUseSchema>, 'password'>

/** GET /api/account/sessions, the newest first. */
export interface SessionItem {
  id: string
  current: boolean
  /** In words: “Firefox on Windows”. */
  device: string
  /** Country code as the network said it, or null. */
  country: string | null
  signedInAt: string
  lastSeenAt: string
}

/** GET /api/account/sign-ins: the ways into this account. The last one cannot be removed. */
export interface SignInMethods {
  password: boolean
  accounts: ConnectedAccount[]
  /** Providers that this installation offers. */
  offered: IdentityProvider[]
}
export interface ConnectedAccount {
  id: string
  provider: IdentityProvider
  email: string | null
  connectedAt: string
  lastUsedAt: string
}

/**
 * POST /api/session/oauth: answers where the browser goes next. `connect` adds the provider to the signed-in account and
 * asks for proof as {@link reauthenticationSchema}; without it the terms must be accepted, for a first sign-in makes an account.
 */
export const oauthStartSchema = z.strictObject({
  provider: z.enum(IDENTITY_PROVIDERS),
  return: z.string().max(2000).optional(),
  connect: z.boolean().default(false),
  acceptTerms: z.boolean().default(false),
  password: passwordSchema.optional(),
})
export interface OauthStart {
  url: string
}
/** Why a sign-in with a provider came to nothing; in `/login?problem=` (or of `/settings/profile/authentication`). */
export const OAUTH_PROBLEMS = [
  'refused',
  'expired',
  'account_exists',
  'already_connected',
  'unavailable',
  'disabled',
] as const
export type OauthProblem = (typeof OAUTH_PROBLEMS)[number]

/** POST /api/account/delete: `confirm` is the person's own address (or name, without an address). */
export const deleteAccountSchema = z.strictObject({ confirm: z.string().max(254), password: passwordSchema.optional() })
/** GET /api/account/deletion: what would go, and what stands in the way. */
export interface AccountDeletionPreview {
  /** Workspaces with other members in which the person is the only owner: hand them over first. */
  blocked: { id: string; name: string }[]
  /** Workspaces that go too, because nobody else is in them. */
  going: { id: string; name: string }[]
}
/** Answer of POST /api/account/undelete. */
export interface RestoredAccount {
  /** Null when the address belongs to somebody else by now. */
  email: string | null
  /** Names of workspaces in which an owner or admin lets the person in again. */
  waiting: string[]
}

/** POST /api/session/link, where it is enabled: the same answer for known and unknown addresses. */
export const emailLinkSignInSchema = z.strictObject({ email: emailSchema, return: z.string().max(2000).optional() })
/** What every request for a mail answers, whether or not one is sent. */
export interface MailSent {
  sent: true
}

/** What kind of link a mail carries. */
const EMAIL_LINK_KINDS = ['reset', 'sign_in', 'email_old', 'email_new', 'undelete', 'email_proof'] as const
export type EmailLinkKind = (typeof EMAIL_LINK_KINDS)[number]

export const tokenBodySchema = z.strictObject({ token: linkTokenSchema })

/** What the page of a link does with it, and the kinds of link that it takes. */
export const LINK_PURPOSES = {
  reset: ['reset'],
  signIn: ['sign_in'],
  changeEmail: ['email_old', 'email_new'],
  proveEmail: ['email_proof'],
  restoreAccount: ['undelete'],
} as const satisfies Record<string, readonly EmailLinkKind[]>
export type LinkPurpose = keyof typeof LINK_PURPOSES

/** POST /api/account/links/check (open): whether a link still works, before anything is typed. Using it up is another call. */
export const checkLinkSchema = z.strictObject({
  token: linkTokenSchema,
  purpose: z.enum(['reset', 'signIn', 'changeEmail', 'proveEmail', 'restoreAccount']),
})
/** `expired` answers every link that does nothing any more. `signIn`, `otherAccount`: for the session of its own account only. */
export interface LinkCheck {
  state: 'usable' | 'signIn' | 'otherAccount'
}
