import { env } from 'cloudflare:test'
import { signLinkToken } from '../../src/mail/email-links'
import type { QueuedMail } from '../../src/mail/queued-mail'

/** The token that the mail of an invitation carries. */
export const inviteToken = (id: string, serial = 1): Promise<string> =>
  signLinkToken({ SESSION_SECRET: String(env['SESSION_SECRET']) }, id, serial)

/** Mails of a workspace that wait to be sent, the oldest first. */
export async function queuedMailsOf(workspaceId: string): Promise<QueuedMail[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE workspace_id = ? AND kind = 'mail' ORDER BY created_at, rowid",
  )
    .bind(workspaceId)
    .all<{ payload: string }>()
  return results.map(({ payload }): QueuedMail => JSON.parse(payload))
}

/** What the audit log of a workspace holds, the oldest first. */
export async function auditOf(workspaceId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT action, before_hash IS NOT NULL AS had, after_hash IS NOT NULL AS has FROM audit WHERE workspace_id = ? ORDER BY at, rowid',
  )
    .bind(workspaceId)
    .all<{ action: string; had: number; has: number }>()
  return results.map(({ action, had, has }) => `${action} ${had === 1 ? 'before' : '-'} ${has === 1 ? 'after' : '-'}`)
}

export interface StoredMember {
  role: string
  status: string
  epoch: number
}
export const storedMember = (workspaceId: string, userId: string): Promise<StoredMember | null> =>
  env.DB.prepare('SELECT role, status, epoch FROM members WHERE workspace_id = ? AND user_id = ?')
    .bind(workspaceId, userId)
    .first<StoredMember>()

export const emailOf = async (userId: string): Promise<string> =>
  (await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(userId).first<string>('email')) ?? ''

/** Active people but those of the portal, and open invitations: what the plan's `users` counts. */
export async function countTakenSeats(workspaceId: string, now = Date.now()): Promise<number> {
  const n = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM members WHERE workspace_id = ?1 AND status = 'active' AND role <> 'client')
       + (SELECT count(*) FROM invites WHERE workspace_id = ?1 AND state = 'pending' AND expires_at > ?2 AND role <> 'client') AS n`,
  )
    .bind(workspaceId, now)
    .first<number>('n')
  return n ?? 0
}

/** What a workspace's plan gives, from now on. */
export const setSeatLimits = (workspaceId: string, override: { users?: number; analysts?: number }): Promise<unknown> =>
  env.DB.prepare('UPDATE subscriptions SET override = ? WHERE workspace_id = ?')
    .bind(JSON.stringify(override), workspaceId)
    .run()
