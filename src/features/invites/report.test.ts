import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { signedIn, visitor, type SignedIn } from '../../../test/worker/factories'
import { auditOf, inviteToken } from '../../../test/worker/people'
import { signReportToken } from '../../mail/email-links'
import type { CreateInvitesResult } from '../../shared/invites'

const app = createApp()
const secret = { SESSION_SECRET: String(env['SESSION_SECRET']) }
const owned = () => signedIn({ app, subscription: { override: { users: null, analysts: null } } })
const invite = async (who: SignedIn, email: string) => {
  const answer = await who.fetch('/api/invites', { method: 'POST', json: { emails: [email], role: 'viewer' } })
  const line = (await answer.json<CreateInvitesResult>()).lines?.[0]
  return { status: answer.status, outcome: line?.outcome, id: line?.invite?.id ?? '' }
}
const report = async (token: string) => {
  const anon = await visitor({ app })
  return (await anon.fetch('/api/invites/report', { method: 'POST', json: { token } })).status
}
const reportOf = async (id: string) => report(await signReportToken(secret, id))
const look = async (token: string) => {
  const anon = await visitor({ app })
  return (await anon.fetch('/api/invites/look', { method: 'POST', json: { token } })).status
}

describe('an invitation from somebody unknown', () => {
  it('is reported by the link of its mail: taken back, and nothing more is mailed there by this workspace', async () => {
    const [owner, other] = [await owned(), await owned()]
    const { id } = await invite(owner, 'reader@example.com')
    expect(await reportOf(id)).toBe(200)
    expect(await look(await inviteToken(id))).toBe(410)
    expect(await invite(owner, 'Reader@example.com')).toMatchObject({ status: 200, outcome: 'reported' })
    expect((await owner.fetch(`/api/invites/${id}/resend`, { method: 'POST', json: {} })).status).toBe(410)
    expect(await invite(other, 'reader@example.com')).toMatchObject({ outcome: 'sent' })
    expect(await auditOf(owner.workspaceId)).toEqual(['invite.create - after', 'invite.report - -'])
  })

  it('counts once, however often its link is opened, and by no other link', async () => {
    const owner = await owned()
    const { id } = await invite(owner, 'once@example.com')
    expect(await report(await inviteToken(id))).toBe(410)
    expect(await look(await signReportToken(secret, id))).toBe(410)
    expect([await reportOf(id), await reportOf(id)]).toEqual([200, 200])
    const count = env.DB.prepare('SELECT count(*) AS n FROM invite_reports WHERE workspace_id = ?')
    expect(await count.bind(owner.workspaceId).first('n')).toBe(1)
  })

  it('is reported within 30 days of its mail, and not by whoever accepted', async () => {
    const owner = await owned()
    const [late, accepted, open] = [
      await invite(owner, 'late@example.com'),
      await invite(owner, 'accepted@example.com'),
      await invite(owner, 'open@example.com'),
    ]
    const sentAt = Date.now() - 30 * 24 * 3_600_000
    await env.DB.batch([
      env.DB.prepare('UPDATE invites SET sent_at = ? WHERE id = ?').bind(sentAt, late.id),
      env.DB.prepare("UPDATE invites SET state = 'accepted' WHERE id = ?").bind(accepted.id),
      env.DB.prepare('UPDATE invites SET sent_at = ? WHERE id = ?').bind(sentAt + 60_000, open.id),
    ])
    expect([await reportOf(late.id), await reportOf(accepted.id), await reportOf(open.id)]).toEqual([410, 410, 200])
    const count = env.DB.prepare('SELECT count(*) AS n FROM invite_reports WHERE workspace_id = ?')
    expect(await count.bind(owner.workspaceId).first('n')).toBe(1)
  })

  it('takes back what is open again, although the address reported one before', async () => {
    const owner = await owned()
    const { id } = await invite(owner, 'again@example.com')
    await reportOf(id)
    await env.DB.prepare("UPDATE invites SET state = 'pending' WHERE id = ?").bind(id).run()
    expect(await reportOf(id)).toBe(200)
    expect(await look(await inviteToken(id))).toBe(410)
  })

  it('ends the invitations of a workspace at the third report, until a month has passed', async () => {
    const owner = await owned()
    for (let n = 0; n < 3; n++) await reportOf((await invite(owner, `no-${n}@example.com`)).id)
    expect(await invite(owner, 'fourth@example.com')).toMatchObject({ status: 409 })
    await env.DB.prepare('UPDATE invite_reports SET at = 1 WHERE workspace_id = ?').bind(owner.workspaceId).run()
    expect(await invite(owner, 'fourth@example.com')).toMatchObject({ status: 200, outcome: 'sent' })
  })
})
