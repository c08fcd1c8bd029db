import type { Scope } from '../../access/scope'
import type { QueuedMail } from '../../mail/order'
import type { Invite, InviteRole, InviteState } from '../../shared/invites'

/** One invitation as stored. */
export interface InviteRow {
  id: string
  email: string
  role: InviteRole
  groupIds: string[]
  landing: string | null
  state: Exclude<InviteState, 'expired'>
  serial: number
  inviter: string
  sentAt: number
  expiresAt: number
}
export type InviteGroup = Invite['groups'][number]

const toIso = (at: number): string => new Date(at).toISOString()

/** What the stored state means at this moment. */
export const inviteStateAt = (
  { state, expiresAt }: Pick<InviteRow, 'state' | 'expiresAt'>,
  now: number,
): InviteState => (state === 'pending' && expiresAt <= now ? 'expired' : state)

export const toInvite = (row: InviteRow, groups: readonly InviteGroup[], now: number): Invite => ({
  id: row.id,
  email: row.email,
  role: row.role,
  groups: groups.filter(({ id }) => row.groupIds.includes(id)),
  landing: row.landing,
  state: inviteStateAt(row, now),
  invitedBy: row.inviter,
  sentAt: toIso(row.sentAt),
  expiresAt: toIso(row.expiresAt),
})

export const inviteAuditEntry = (of: Pick<Scope, 'workspaceId' | 'actorId'>, action: string, id: string) => ({
  workspaceId: of.workspaceId,
  actorId: of.actorId,
  action,
  entity: 'invite',
  entityId: id,
})

/** What an invitation says: hashed by the audit log. */
export const auditedTerms = ({ email, role, groupIds, landing, expiresAt }: InviteRow) => ({
  email,
  role,
  groupIds,
  landing,
  expiresAt,
})

/** Key of the mail of an invitation: a renewed one is another mail. */
export const invitationMail = (row: InviteRow, workspace: string): { order: QueuedMail; key: string } => ({
  order: {
    to: row.email,
    template: 'invitation',
    inviteId: row.id,
    serial: row.serial,
    workspace,
    inviter: row.inviter,
    role: row.role,
    expiresAt: row.expiresAt,
  },
  key: `invite:${row.id}:${row.serial}`,
})
