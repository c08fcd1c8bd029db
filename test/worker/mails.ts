import { env } from 'cloudflare:test'
import { linkToken } from '../../src/access/links'
import type { MailOrder } from '../../src/mail/order'

/** The mails ordered for an address, the oldest first. */
export async function mailsTo(email: string): Promise<MailOrder[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE kind = 'mail' AND json_extract(payload, '$.to') = ? ORDER BY created_at, rowid",
  )
    .bind(email)
    .all<{ payload: string }>()
  return results.map(({ payload }): MailOrder => JSON.parse(payload))
}

/** The templates of the mails ordered for an address, the oldest first. */
export const templatesTo = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).map(({ template }) => template)

/** The token in the newest mail of a template, as its receiver finds it. */
export async function tokenFor(email: string, template: MailOrder['template']): Promise<string> {
  const mail = (await mailsTo(email)).findLast((one) => one.template === template)
  if (!mail || !('linkId' in mail)) throw new Error(`No ${template} with a link was sent to ${email}.`)
  return linkToken({ SESSION_SECRET: String(env['SESSION_SECRET']) }, mail.linkId)
}
