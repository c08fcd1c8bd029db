import { z } from 'zod'
import { idSchema } from './ids'
import { linkTokenSchema } from './account'
import { listQuerySchema } from './field-schemas'
import type { Role } from './permissions'

/** Ownership is handed over, never sent by mail. */
const INVITE_ROLES = ['admin', 'analyst', 'viewer', 'client'] as const
export type InviteRole = (typeof INVITE_ROLES)[number]
export const INVITES_PER_REQUEST_MAX = 50
export const INVITE_TTL_MS = 7 * 24 * 60 * 60 * 1000

/** Pages a newcomer may land on: a list, an insight, a source. */
const LANDING_PATTERN = /^\/(data-sources|insights)(\/[a-z]+_[0-9a-z]{20})?$/

/** POST /api/invites. Each address is answered for itself; the others are sent. */
export const createInvitesSchema = z.strictObject({
  /** As typed: checked one by one, so that one mistake does not stop the others. */
  emails: z
    .array(z.string().max(320))
    .min(1, { message: 'Enter at least one address.' })
    .max(INVITES_PER_REQUEST_MAX, {
      message: `At most ${INVITES_PER_REQUEST_MAX} addresses at once.`,
    }),
  role: z.enum(INVITE_ROLES),
  groupIds: z.array(idSchema('group')).max(20).default([]),
  landing: z.string().regex(LANDING_PATTERN, { message: 'Choose a page of this workspace.' }).optional(),
})
export type CreateInvitesInput = z.input<typeof createInvitesSchema>

/**
 * What became of one line. `sent` says nothing about whether an account exists.
 * `renewed`: it was invited before; the newest mail counts. `member`: belongs to the workspace already. `reported`: its
 * reader reported an invitation of this workspace, which writes there no more.
 */
export interface InviteResult {
  typed: string
  outcome: 'sent' | 'renewed' | 'repeated' | 'invalid' | 'member' | 'wrong_domain' | 'no_seat' | 'reported'
  invite: Invite | null
}
/** Answer of POST /api/invites (200): `lines` in the order given. */
export interface CreateInvitesResult {
  lines: InviteResult[]
}

const INVITE_STATES = ['pending', 'expired', 'accepted', 'revoked'] as const
export type InviteState = (typeof INVITE_STATES)[number]
/** GET /api/invites: `?state=`, the newest mail first. */
export const listInvitesSchema = listQuerySchema.extend({ state: z.enum(INVITE_STATES).optional() })
export interface Invite {
  id: string
  email: string
  role: InviteRole
  groups: { id: string; name: string; color: string }[]
  landing: string | null
  state: InviteState
  invitedBy: string
  sentAt: string
  expiresAt: string
}

/** POST /api/invites/look (open): what a link is, before anything is done. Reading consumes nothing. */
export const previewInviteSchema = z.strictObject({ token: linkTokenSchema })
export interface InvitePreview {
  workspace: { name: string; logo: string | null }
  invitedBy: string
  email: string
  role: Role
  expiresAt: string
  /**
   * `ready`: the signed-in person has the invited address (or none). `signIn`: nobody is signed in.
   * `otherAccount`: somebody else is; they are asked to switch. `member`: belongs to it already.
   */
  standing: 'ready' | 'signIn' | 'otherAccount' | 'member'
}

/** POST /api/invites/accept: as the invited person only; proves the address. Answers where to go. */
export const acceptInviteSchema = z.strictObject({ token: linkTokenSchema })
export interface AcceptedInvite {
  workspaceId: string
  landing: string
}

/** POST /api/invites/report (open): by the link in the mail of an invitation; the same answer when it was reported before. */
export const reportInviteSchema = z.strictObject({ token: linkTokenSchema })
export interface ReportedInvite {
  reported: true
}
