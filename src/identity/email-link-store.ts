import { linkIdOfToken, verifyLinkToken } from '../mail/email-links'
import type { Database } from '../db/database'
import type { Settings } from '../settings'
import type { Clock, Ids } from '../shared/ids'
import type { EmailLinkKind } from '../shared/account'

interface EmailLinkDeps {
  db: Database
  clock: Clock
  ids: Ids
}

export interface EmailLink {
  id: string
  kind: EmailLinkKind
  userId: string
  payload: unknown
}

/** A new link of a person: its id for the mail, and its row for the caller's batch. */
export function createEmailLink(
  deps: EmailLinkDeps,
  link: { kind: EmailLinkKind; userId: string; payload?: unknown; ttlMs: number },
): { id: string; insert: D1PreparedStatement } {
  const id = deps.ids.next('link')
  const now = deps.clock.now()
  const insert = deps.db.d1
    .prepare('INSERT INTO links (id, kind, user_id, payload, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)')
    .bind(id, link.kind, link.userId, JSON.stringify(link.payload ?? {}), now, now + link.ttlMs)
  return { id, insert }
}

/** Makes every open link of a kind worthless: a newer one is the only one, or what it was for is done. */
export const invalidateEmailLinks = (
  deps: EmailLinkDeps,
  of: { userId: string; kinds: readonly EmailLinkKind[] },
): D1PreparedStatement =>
  deps.db.d1
    .prepare(
      'UPDATE links SET used_at = ? WHERE user_id = ? AND used_at IS NULL AND kind IN (SELECT value FROM json_each(?))',
    )
    .bind(deps.clock.now(), of.userId, JSON.stringify(of.kinds))

/** The open link of a token, without using it up; null for unknown, forged, used and expired ones. */
export async function findEmailLink(
  deps: EmailLinkDeps & { settings: Pick<Settings, 'SESSION_SECRET'> },
  token: string,
  kinds: readonly EmailLinkKind[],
): Promise<EmailLink | null> {
  if (!(await verifyLinkToken(deps.settings, token))) return null
  const row = await deps.db.d1
    .prepare('SELECT id, kind, user_id, payload FROM links WHERE id = ? AND used_at IS NULL AND expires_at > ?')
    .bind(linkIdOfToken(token), deps.clock.now())
    .first<{ id: string; kind: EmailLinkKind; user_id: string; payload: string }>()
  if (!row || !kinds.includes(row.kind)) return null
  return { id: row.id, kind: row.kind, userId: row.user_id, payload: JSON.parse(row.payload) }
}

/**
 * Uses a link up. First statement of a `commit` with `expect`: of two at once, one wins.
 * @param epoch of the person, when what follows counts on it: a link of somebody whose rights changed meanwhile stays open.
 */
export const consumeEmailLink = (deps: EmailLinkDeps, id: string, epoch: number | null = null): D1PreparedStatement =>
  deps.db.d1
    .prepare(
      `UPDATE links SET used_at = ?1 WHERE id = ?2 AND used_at IS NULL AND expires_at > ?1
         AND (?3 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = links.user_id AND epoch = ?3 AND disabled_at IS NULL))`,
    )
    .bind(deps.clock.now(), id, epoch)
