import type { Scope } from '../../scope'
import { hasFreeSeatSql, type SeatKind, type SeatLimits } from '../../entitlements/seats'
import type { Database } from '../../db/database'
import type { MemberStatus } from '../../shared/members'
import type { Role } from '../../shared/permissions'

export interface StoredOffer {
  fromId: string
  fromName: string
  fromEmail: string | null
  toId: string
  toName: string
  expiresAt: number
}
export interface OwnershipCandidate {
  name: string
  email: string | null
  role: Role
  status: MemberStatus
}

/** The offer of ownership of a scope's workspace; there is at most one. Writes are statements for `commit`. */
export const ownershipStore = ({ d1 }: Database, scope: Scope) => ({
  /** The offer that stands at `now`: one that lapsed is none. */
  get: (now: number): Promise<StoredOffer | null> =>
    d1
      .prepare(
        `SELECT o.from_user AS fromId, f.name AS fromName, f.email AS fromEmail, o.to_user AS toId, t.name AS toName,
           o.expires_at AS expiresAt
         FROM ownership_offers o JOIN users f ON f.id = o.from_user JOIN users t ON t.id = o.to_user
         WHERE o.workspace_id = ? AND o.expires_at > ?`,
      )
      .bind(scope.workspaceId, now)
      .first<StoredOffer>(),

  candidate: (userId: string): Promise<OwnershipCandidate | null> =>
    d1
      .prepare(
        'SELECT u.name, u.email, m.role, m.status FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ? AND m.user_id = ?',
      )
      .bind(scope.workspaceId, userId)
      .first<OwnershipCandidate>(),

  /** Takes the place of an earlier offer. Writes nothing unless an owner offers it to an active member of the workspace. */
  offer: (to: string, at: { now: number; expiresAt: number }): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO ownership_offers (workspace_id, from_user, to_user, created_at, expires_at)
         SELECT ?1, a.user_id, t.user_id, ?4, ?5 FROM members a JOIN members t ON t.workspace_id = a.workspace_id
         WHERE a.workspace_id = ?1 AND a.user_id = ?2 AND a.role = 'owner' AND a.status = 'active'
           AND t.user_id = ?3 AND t.role IN ('admin', 'analyst', 'viewer') AND t.status = 'active'
         ON CONFLICT (workspace_id) DO UPDATE SET from_user = excluded.from_user, to_user = excluded.to_user,
           created_at = excluded.created_at, expires_at = excluded.expires_at`,
      )
      .bind(scope.workspaceId, scope.actorId, to, at.now, at.expiresAt),

  /** Taken back by who made it, or declined by whom it was made to. */
  withdraw: (): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM ownership_offers WHERE workspace_id = ?1 AND ?2 IN (from_user, to_user)')
      .bind(scope.workspaceId, scope.actorId),

  /** Uses the offer up. Changes no row unless it stands, is made to who asks by somebody who still owns, and a seat is free. */
  acceptOffer: (
    { fromId }: StoredOffer,
    { now, limits, takes }: { now: number; limits: SeatLimits; takes: readonly SeatKind[] },
  ): D1PreparedStatement =>
    d1
      .prepare(
        `DELETE FROM ownership_offers WHERE workspace_id = ?1 AND to_user = ?2 AND from_user = ?3 AND expires_at > ?4
           AND EXISTS (SELECT 1 FROM members a WHERE a.workspace_id = ?1 AND a.user_id = ?3 AND a.role = 'owner' AND a.status = 'active')
           AND EXISTS (SELECT 1 FROM members t WHERE t.workspace_id = ?1 AND t.user_id = ?2 AND t.role <> 'client' AND t.status = 'active')
           AND ${hasFreeSeatSql('analysts', { workspace: '?1', now: '?4', takes: '?5', max: '?6' })}`,
      )
      .bind(scope.workspaceId, scope.actorId, fromId, now, takes.includes('analysts') ? 1 : 0, limits.analysts),

  /** The old owner becomes an administrator, who asks the owner. */
  swapOwner: ({ fromId }: StoredOffer): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE members SET role = CASE user_id WHEN ?2 THEN 'owner' ELSE 'admin' END, epoch = epoch + 1
         WHERE workspace_id = ?1 AND user_id IN (?2, ?3)`,
      )
      .bind(scope.workspaceId, scope.actorId, fromId),
})

/** Removes offers that lapsed, of every workspace. */
export const deleteOffersExpiredAt = ({ d1 }: Database, now: number): Promise<unknown> =>
  d1.prepare('DELETE FROM ownership_offers WHERE expires_at <= ?').bind(now).run()
