import { z } from 'zod'
import { idSchema, isId } from './ids'
import { listQuerySchema, versionSchema } from './field-schemas'
import { ROLES, type Role } from './permissions'
import { passwordSchema } from './session'

export const MEMBER_STATUSES = ['active', 'suspended'] as const
export type MemberStatus = (typeof MEMBER_STATUSES)[number]

/** GET /api/members: `?q=&role=&status=&group=`, by name. */
export const listMembersSchema = listQuerySchema.extend({
  q: z.string().max(80).optional(),
  role: z.enum(ROLES).optional(),
  status: z.enum(MEMBER_STATUSES).optional(),
  group: z.string().max(40).optional(),
})

/** One member. People without `edit:member` are told names, pictures and roles only: the rest is null or empty. */
export interface Member {
  userId: string
  name: string
  avatar: string | null
  email: string | null
  role: Role
  status: MemberStatus
  joinedAt: string | null
  lastSeenAt: string | null
  groups: { id: string; name: string; color: string }[]
  /** Nobody else owns the workspace: this one cannot leave before ownership is transferred. */
  soleOwner: boolean
  /** Suspended since they restored their deleted account: waits to be let in again. */
  restored: boolean
  /** Whether this is who asks. */
  self: boolean
  /** Increases with every change of role or status; sent back with one. */
  version: number
}

/** GET /api/members/seats: what is taken (pending invitations hold a seat) and what the plan has; null = unlimited. */
export interface SeatUsage {
  users: { used: number; max: number | null }
  /** Owners, admins and analysts. */
  analysts: { used: number; max: number | null }
}

/**
 * PUT /api/members/{id}. Who loses the right to load or edit, or is suspended, loses what runs in their name: `heir` (a
 * member who may hold it) takes it over; absent = it stays theirs, where that is possible.
 * `limit_reached` when the new role has no seat; `in_use` when it would leave the workspace without an owner.
 */
export const updateMemberSchema = z.strictObject({
  role: z.enum(ROLES),
  status: z.enum(MEMBER_STATUSES),
  heir: idSchema('user').optional(),
  version: versionSchema,
})

/** DELETE /api/members/{id}`?version=&heir=`: removal, and by oneself: leaving. */
export const removeMemberSchema = z.strictObject({
  version: z.coerce.number().int().min(1),
  heir: z
    .string()
    .refine((text) => isId('user', text), { message: 'Not a known id.' })
    .optional(),
})

/** GET /api/members/{id}/belongings: what somebody must inherit. */
export interface OwnedItems {
  sources: number
  insights: number
  metrics: number
  groupings: number
  alerts: number
  forecasts: number
  reports: number
  schedules: number
  /** Members who may inherit it, by name. */
  heirs: { userId: string; name: string }[]
}

/** PUT /api/workspace/ownership: offers ownership; the other accepts within 7 days. By the owner, with proof. */
export const offerOwnershipSchema = z.strictObject({ userId: idSchema('user'), password: passwordSchema.optional() })
/** GET /api/workspace/ownership: the open offer, shown to admins, to who gave it and to who may accept it. */
export interface OwnershipOffer {
  from: { userId: string; name: string }
  to: { userId: string; name: string }
  expiresAt: string
  /** Whether it is offered to who asks. */
  mine: boolean
}
export const OWNERSHIP_OFFER_TTL_MS = 7 * 24 * 60 * 60 * 1000
