import { toIso } from '../../lib/iso'
import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import { accessFingerprint, hasFullAccess, type Scope } from '../../scope'
import type { Database } from '../../db/database'
import { DAY_MS } from '../../shared/dates'
import type { WaitingItem } from '../../shared/briefing/briefing'

/** What is older waits no more: nobody will answer it. */
const WAITS_MS = 30 * DAY_MS
/** Of each kind. */
const ITEMS_MAX = 10

type Row<T> = T & { at: number }

/** What waits for one member in a workspace. Nothing that does not exist for them is named. */
export const waitingStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    /** Notes and comments of others that name the member, the newest first: those after `after` (epoch ms). */
    async mentions(after: number): Promise<WaitingItem[]> {
      const { results } = await d1
        .prepare(
          `SELECT u.name AS by, i.name AS thing, '/insights/' || i.id AS path, n.created_at AS at
           FROM notes n JOIN insights i ON i.id = n.insight_id AND i.deleted_at IS NULL JOIN users u ON u.id = n.author_id
           WHERE n.workspace_id = ?1 AND n.created_at > ?3 AND n.author_id <> ?2 AND ${isVisibleSql('i.id', '?4')}
             AND EXISTS (SELECT 1 FROM json_each(n.mentions) WHERE value = ?2)
           UNION ALL
           SELECT u.name, r.name, '/reports/' || iif(r.kind = 'interactive', 'interactive', 'legacy') || '/' || r.id, c.created_at
           FROM report_comments c JOIN reports r ON r.id = c.report_id AND r.deleted_at IS NULL JOIN users u ON u.id = c.author_id
           WHERE c.workspace_id = ?1 AND c.created_at > ?3 AND c.author_id <> ?2 AND c.resolved_at IS NULL
             AND (?5 = 1 OR c.rights = ?6 OR c.audience = 'everyone')
             AND EXISTS (SELECT 1 FROM json_each(c.mentions) WHERE value = ?2)
           ORDER BY 4 DESC LIMIT ${ITEMS_MAX}`,
        )
        .bind(
          ...[workspaceId, actorId, after, await hiddenThings({ d1 }, scope)],
          ...[hasFullAccess(scope) ? 1 : 0, accessFingerprint(scope)],
        )
        .all<Row<{ by: string; thing: string; path: string }>>()
      return results.map(({ by, thing, path, at }) => ({ kind: 'mention', by, on: thing, path, at: toIso(at) }))
    },

    /** Newest editions, by others, of reports whose earlier editions the member signed and this one not. */
    async signOffs(now: number): Promise<WaitingItem[]> {
      const { results } = await d1
        .prepare(
          `SELECT r.name AS report, e.n AS edition, '/reports/legacy/' || r.id || '/editions/' || e.n AS path, e.published_at AS at
           FROM report_editions e JOIN reports r ON r.id = e.report_id AND r.deleted_at IS NULL
           WHERE e.workspace_id = ?1 AND e.published_at > ?3 AND e.published_by <> ?2
             AND e.n = (SELECT max(n) FROM report_editions WHERE report_id = e.report_id)
             AND (e.audience = 'everyone' OR e.rights = ?4)
             AND NOT EXISTS (SELECT 1 FROM report_signatures s WHERE s.edition_id = e.id AND s.user_id = ?2)
             AND EXISTS (SELECT 1 FROM report_signatures s JOIN report_editions o ON o.id = s.edition_id
               WHERE o.report_id = e.report_id AND s.user_id = ?2)
           ORDER BY e.published_at DESC LIMIT ${ITEMS_MAX}`,
        )
        .bind(workspaceId, actorId, now - WAITS_MS, accessFingerprint(scope))
        .all<Row<{ report: string; edition: number; path: string }>>()
      return results.map(({ at, ...item }) => ({ kind: 'signOff', ...item, at: toIso(at) }))
    },

    /** The workspace offered to the member, and other workspaces that invite their proven address. */
    async invitations(now: number): Promise<WaitingItem[]> {
      const [offers, invites] = await Promise.all([
        d1
          .prepare(
            `SELECT u.name AS by, o.created_at AS at FROM ownership_offers o JOIN users u ON u.id = o.from_user
             WHERE o.workspace_id = ? AND o.to_user = ? AND o.expires_at > ?`,
          )
          .bind(workspaceId, actorId, now)
          .all<Row<{ by: string }>>(),
        d1
          .prepare(
            `SELECT w.name AS workspace, p.name AS by, i.sent_at AS at FROM users u
             JOIN invites i ON i.email = u.email AND i.state = 'pending' AND i.expires_at > ?2
             JOIN workspaces w ON w.id = i.workspace_id AND w.deleted_at IS NULL JOIN users p ON p.id = i.invited_by
             WHERE u.id = ?1 AND u.email_proven_at IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = w.id AND m.user_id = u.id)
             ORDER BY i.sent_at DESC LIMIT ${ITEMS_MAX}`,
          )
          .bind(actorId, now)
          .all<Row<{ workspace: string; by: string }>>(),
      ])
      return [
        ...offers.results.map(({ by, at }): WaitingItem => ({
          kind: 'ownership',
          by,
          path: '/settings/workspace/members',
          at: toIso(at),
        })),
        ...invites.results.map(({ at, ...item }): WaitingItem => ({ kind: 'invitation', ...item, at: toIso(at) })),
      ]
    },
  }
}
