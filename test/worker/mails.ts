import { env } from 'cloudflare:test'
import { signLinkToken } from '../../src/mail/email-links'
import type { QueuedMail } from '../../src/mail/queued-mail'

/** The mails ordered for an address, the oldest first. */
export async function queuedMailsTo(email: string): Promise<QueuedMail[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE kind = 'mail' AND json_extract(payload, '$.to') = ? ORDER BY created_at, rowid",
  )
    .bind(email)
    .all<{ payload: string }>()
  return results.map(({ payload }): QueuedMail => JSON.parse(payload))
}

/** The templates of the mails ordered for an address, the oldest first. */
export const templatesTo = async (email: string): Promise<string[]> =>
  (await queuedMailsTo(email)).map(({ template }) => template)

/** The token in the newest mail of a template, as its receiver finds it. */
export async function linkTokenInMail(email: string, template: QueuedMail['template']): Promise<string> {
  const mail = (await queuedMailsTo(email)).findLast((one) => one.template === template)
  if (!mail || !('linkId' in mail)) throw new Error(`No ${template} with a link was sent to ${email}.`)
  return signLinkToken({ SESSION_SECRET: String(env['SESSION_SECRET']) }, mail.linkId)
}
