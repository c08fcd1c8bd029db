import type { InviteRow } from './store'
import { hasFreeMemberSeatSql, seatBindings, type SeatKind, type SeatLimits } from '../../entitlements/seats'
import type { Database } from '../../db/database'
import { endedMembershipStore } from '../../identity/ended-membership-store'
import { endUnprovenChangesStatement } from '../../identity/earlier-use-store'
import { DAY_MS } from '../../shared/dates'
import { GROUP_MEMBERS_MAX } from '../../shared/groups'
import type { MemberStatus } from '../../shared/members'

/** An invitation as its link finds it: whoever holds the link is no member yet, so there is no scope. */
export interface LinkedInvite extends Omit<InviteRow, 'groupIds'> {
  /** JSON. */
  groups: string
  workspaceId: string
  workspaceName: string
  logoKey: string | null
  acceptedBy: string | null
  /** Where the inviter wants to hear of it; null = does not, or is no member any more. */
  tell: string | null
}

/** Who opens the link. */
export interface InviteViewer {
  userId: string
  email: string | null
}
export interface InviteAcceptance {
  invite: LinkedInvite
  userId: string
  limits: SeatLimits
  takes: readonly SeatKind[]
  now: number
}

const hasMemberSeat = (kind: SeatKind, takes: string, max: string): string =>
  hasFreeMemberSeatSql(kind, { workspace: 'invites.workspace_id', takes, max })

/** How long after its mail an invitation can be reported. */
const REPORTABLE_MS = 30 * DAY_MS
/** Condition on a row of `invites`: whoever accepted knows the sender. `?2`: its mail is younger than this, epoch ms. */
const REPORTABLE = "state <> 'accepted' AND sent_at > ?2"

/** What the reader of one invitation says of it, by the id that a proven token speaks of. Writes are statements for `commit`. */
export const inviteReportStore = ({ d1 }: Database, id: string) => ({
  /** Null when it was accepted, or nobody was mailed for 30 days. */
  get: (now: number): Promise<{ workspaceId: string } | null> =>
    d1
      .prepare(`SELECT workspace_id AS workspaceId FROM invites WHERE id = ?1 AND ${REPORTABLE}`)
      .bind(id, now - REPORTABLE_MS)
      .first<{ workspaceId: string }>(),

  /** Changes no row when the address reported one of this workspace before, nor for one that cannot be reported any more. */
  insert: (now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO invite_reports (workspace_id, email, invite_id, invited_by, at)
         SELECT workspace_id, email, id, invited_by, ?3 FROM invites WHERE id = ?1 AND ${REPORTABLE}
         ON CONFLICT (workspace_id, email) DO NOTHING`,
      )
      .bind(id, now - REPORTABLE_MS, now),

  /** Every open invitation of the workspace to this address. */
  revokeOpen: (): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET state = 'revoked' WHERE state = 'pending'
           AND (workspace_id, email) = (SELECT workspace_id, email FROM invites WHERE id = ?)`,
      )
      .bind(id),
})

/** Invitations by the id that a proven token speaks of. Writes are statements for `commit`. */
export const inviteLinkStore = (db: Database, { d1 } = db) => ({
  get: (id: string): Promise<LinkedInvite | null> =>
    d1
      .prepare(
        `SELECT i.id, i.email, i.role, i.group_ids AS groups, i.landing, i.state, i.serial, coalesce(u.name, '') AS inviter,
           i.sent_at AS sentAt, i.expires_at AS expiresAt, i.workspace_id AS workspaceId, w.name AS workspaceName,
           w.logo_key AS logoKey, i.accepted_by AS acceptedBy,
           CASE WHEN m.status = 'active' AND coalesce(json_extract(u.notifications, '$.invitationAccepted'), 1)
             THEN u.email END AS tell
         FROM invites i JOIN workspaces w ON w.id = i.workspace_id AND w.deleted_at IS NULL
         LEFT JOIN users u ON u.id = i.invited_by AND u.disabled_at IS NULL
         LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by
         WHERE i.id = ?`,
      )
      .bind(id)
      .first<LinkedInvite>(),

  nameOf: (userId: string): Promise<string | null> =>
    d1.prepare('SELECT name FROM users WHERE id = ?').bind(userId).first<string>('name'),

  /** What the opener is in that workspace already, and whether the address belongs to somebody else's account. */
  async viewerStatus(invite: LinkedInvite, userId: string): Promise<{ status: MemberStatus | null; taken: boolean }> {
    const row = await d1
      .prepare(
        `SELECT (SELECT status FROM members WHERE workspace_id = ?1 AND user_id = ?2) AS status,
           EXISTS (SELECT 1 FROM users WHERE email = ?3 AND id <> ?2) AS taken`,
      )
      .bind(invite.workspaceId, userId, invite.email)
      .first<{ status: MemberStatus | null; taken: number }>()
    return { status: row?.status ?? null, taken: row?.taken === 1 }
  },

  /** Uses it up. Changes no row unless it is open, for this person, and a seat of its role is free of members. */
  accept: ({ invite, userId, limits, takes, now }: InviteAcceptance): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET state = 'accepted', accepted_by = ?2, accepted_at = ?3
         WHERE id = ?1 AND serial = ?4 AND state = 'pending' AND expires_at > ?3
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = invites.workspace_id AND w.deleted_at IS NULL)
           AND EXISTS (SELECT 1 FROM users u WHERE u.id = ?2 AND u.disabled_at IS NULL AND (u.email = invites.email
             OR (u.email IS NULL AND NOT EXISTS (SELECT 1 FROM users o WHERE o.email = invites.email))))
           AND NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = invites.workspace_id AND m.user_id = ?2)
           AND ${hasMemberSeat('users', '?5', '?6')} AND ${hasMemberSeat('analysts', '?7', '?8')}`,
      )
      .bind(invite.id, userId, now, invite.serial, ...seatBindings(takes, limits)),

  /** Somebody who belongs to the workspace by now opens it: it holds no seat any more, and changes nothing else. */
  markAccepted: ({ invite, userId, now }: Pick<InviteAcceptance, 'invite' | 'userId' | 'now'>): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET state = 'accepted', accepted_by = ?2, accepted_at = ?3
         WHERE id = ?1 AND serial = ?4 AND state = 'pending'`,
      )
      .bind(invite.id, userId, now, invite.serial),

  /** What follows acceptance: the address is proven, the person belongs to the workspace and to its groups. */
  addMember: ({ invite, userId, now }: Pick<InviteAcceptance, 'invite' | 'userId' | 'now'>): D1PreparedStatement[] => [
    endUnprovenChangesStatement(db, { userId, email: null, now }),
    endedMembershipStore(db, userId).forget(invite.workspaceId),
    d1
      .prepare(
        `UPDATE users SET email = coalesce(email, ?2), email_proven_at = coalesce(email_proven_at, ?3),
           onboarding = CASE onboarding WHEN 'workspace' THEN 'done' ELSE onboarding END WHERE id = ?1`,
      )
      .bind(userId, invite.email, now),
    d1
      .prepare(
        'INSERT INTO members (workspace_id, user_id, role, created_at, last_seen_at) VALUES (?1, ?2, ?3, ?4, ?4)',
      )
      .bind(invite.workspaceId, userId, invite.role, now),
    d1
      .prepare(
        `INSERT INTO group_members (group_id, user_id) SELECT g.id, ?2 FROM user_groups g
         WHERE g.workspace_id = ?1 AND g.deleted_at IS NULL AND g.id IN (SELECT value FROM json_each(?3))
           AND (SELECT count(*) FROM group_members x WHERE x.group_id = g.id AND x.is_member = 1) < ${GROUP_MEMBERS_MAX}
         ON CONFLICT (group_id, user_id) DO UPDATE SET is_member = 1`,
      )
      .bind(invite.workspaceId, userId, invite.groups),
    // Whoever edits a group's list meanwhile is told that it has another member.
    d1
      .prepare(
        `UPDATE user_groups SET version = version + 1
         WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(invite.workspaceId, invite.groups),
  ],
})
