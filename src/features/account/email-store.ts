import { z } from 'zod'
import type { Database } from '../../db/database'

/** What both links of one change of address share. */
const emailChangePayloadSchema = z.object({ change: z.string(), email: z.string(), oldEmail: z.string().nullable() })
export type EmailChangePayload = z.infer<typeof emailChangePayloadSchema>
export const parseEmailChangePayload = (payload: unknown): EmailChangePayload => emailChangePayloadSchema.parse(payload)

export interface PendingEmailChange extends EmailChangePayload {
  oldConfirmed: boolean
  newConfirmed: boolean
  expiresAt: number
}

const IS_EMAIL_CHANGE_LINK = "kind IN ('email_old', 'email_new')"
/** Whether the other side of the link's change is still to be confirmed. */
const OTHER_LINK_PENDING = `EXISTS (SELECT 1 FROM links o WHERE o.user_id = links.user_id AND o.id <> links.id AND o.${IS_EMAIL_CHANGE_LINK}
  AND json_extract(o.payload, '$.change') = json_extract(links.payload, '$.change') AND o.used_at IS NULL)`

/** The change of one person's address. Writes are statements for `commit`. */
export const emailChangeStore = ({ d1 }: Database, userId: string) => ({
  /** The change under way: the newest of which a side is still open. */
  async pending(now: number): Promise<PendingEmailChange | null> {
    const { results } = await d1
      .prepare(
        `SELECT kind, payload, used_at, expires_at FROM links WHERE user_id = ? AND ${IS_EMAIL_CHANGE_LINK} AND expires_at > ?
         ORDER BY created_at DESC, id`,
      )
      .bind(userId, now)
      .all<{ kind: string; payload: string; used_at: number | null; expires_at: number }>()
    const links = results.map((row) => ({ ...row, ...parseEmailChangePayload(JSON.parse(row.payload)) }))
    const open = links.find(({ used_at: usedAt }) => usedAt === null)
    if (!open) return null
    const confirmed = (kind: string): boolean =>
      links.some((side) => side.change === open.change && side.kind === kind && side.used_at !== null)
    const { change, email, oldEmail, expires_at: expiresAt } = open
    const both = { oldConfirmed: oldEmail === null || confirmed('email_old'), newConfirmed: confirmed('email_new') }
    return { change, email, oldEmail, ...both, expiresAt }
  },

  /** Uses one side's link up, while the other side is open (`last` false) or done. Changes no row otherwise. */
  confirm: (link: { id: string; last: boolean; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE links SET used_at = ?1 WHERE id = ?2 AND user_id = ?3 AND used_at IS NULL AND expires_at > ?1
           AND ${OTHER_LINK_PENDING} = ?4
           AND EXISTS (SELECT 1 FROM users WHERE id = ?3 AND disabled_at IS NULL
             AND email IS json_extract(links.payload, '$.oldEmail'))`,
      )
      .bind(link.now, link.id, userId, link.last ? 0 : 1),

  /** Fails on the unique index when the address is somebody else's by now. */
  setEmail: (email: string, now: number): D1PreparedStatement =>
    d1.prepare('UPDATE users SET email = ?2, email_proven_at = ?3 WHERE id = ?1').bind(userId, email, now),
})

/** Whether a write failed because the address belongs to somebody else. */
export const isEmailTaken = (error: unknown): boolean =>
  error instanceof Error && /UNIQUE constraint failed: users\.email/.test(error.message)
