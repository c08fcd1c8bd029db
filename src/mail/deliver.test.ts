import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatAddress } from './address'
import { deliverMail, deleteProcessedEvents, SEND_ATTEMPTS_MAX, retryDelayMs } from './deliver'
import { mailOutboxEntry, type QueuedMail } from './queued-mail'
import { MailRefused, type OutgoingMail } from './smtp'
import { depsAt } from '../../test/worker/deps'
import { aWorkspace, unique } from '../../test/worker/factories'
import { commit } from '../db/commit'
import { createDeps, type Deps } from '../deps'

const START = Date.UTC(2026, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

interface Post {
  deps: Deps
  sent: OutgoingMail[]
  at: (now: number) => Deps
}

/** An outbox of its own, with a transport that keeps what it is given, or does what `fail` says. */
function post(fail: () => Error | null = () => null, local = false): Post {
  const sent: OutgoingMail[] = []
  const at = (now: number): Deps => {
    const deps = depsAt(now)
    const send = async (mail: OutgoingMail): Promise<void> => {
      const error = fail()
      if (error) throw error
      sent.push(mail)
    }
    return { ...deps, settings: { ...deps.settings, LOCAL_MODE: local }, mail: { send } }
  }
  return { deps: at(START), sent, at }
}

async function ordered(deps: Deps, order: Partial<QueuedMail> = {}): Promise<string> {
  const key = unique('mail')
  const full: QueuedMail = { to: `${key}@example.com`, template: 'reset', linkId: `lnk_${key}`, ...order } as QueuedMail
  await commit(deps, { change: [], outbox: [mailOutboxEntry(full, { key })] })
  return `mail:${key}`
}

const rowOf = (key: string) =>
  env.DB.prepare(
    'SELECT payload, delivered_at, failed_at, attempts, last_error, next_attempt_at FROM outbox WHERE key = ?',
  )
    .bind(key)
    .first<{
      payload: string
      delivered_at: number | null
      failed_at: number | null
      attempts: number
      last_error: string | null
      next_attempt_at: number
    }>()

beforeEach(() => env.DB.prepare('DELETE FROM outbox').run())

describe('delivery of mails', () => {
  it('sends a mail once, and forgets who got what', async () => {
    const { deps, sent } = post()
    const key = await ordered(deps)
    await deliverMail(deps)
    await deliverMail(deps)
    expect(sent).toHaveLength(1)
    expect(await rowOf(key)).toMatchObject({ payload: '{}', delivered_at: START, attempts: 1, last_error: null })
  })

  it('keeps what was sent in local mode, to show it', async () => {
    const { deps } = post(() => null, true)
    const key = await ordered(deps)
    await deliverMail(deps)
    expect((await rowOf(key))?.payload).toContain('"template":"reset"')
  })

  it('is started by the commit that wrote the mail, and by no other', async () => {
    const sent: OutgoingMail[] = []
    const waited: Promise<unknown>[] = []
    const { settings } = depsAt(START)
    const mail = { send: async (one: OutgoingMail): Promise<void> => void sent.push(one) }
    const deps = createDeps(env, settings, { waitUntil: (promise) => waited.push(promise) }, { mail })
    await commit(deps, { change: [env.DB.prepare('SELECT 1')] })
    expect(waited).toHaveLength(0)
    await ordered(deps)
    await Promise.all(waited)
    expect(sent).toHaveLength(1)
  })

  it('sends each of 30 mails once when four deliver at once', async () => {
    const { deps, sent } = post()
    for (let n = 0; n < 30; n++) await ordered(deps)
    await Promise.all([1, 2, 3, 4].map(() => deliverMail(deps)))
    expect(sent).toHaveLength(30)
    expect(new Set(sent.map(({ to }) => formatAddress(to))).size).toBe(30)
  })

  it('tries again after growing waits, each time with the same Message-ID, and not a moment earlier', async () => {
    let down = true
    const ids: string[] = []
    const { at, sent } = post(() => (down ? new Error('down') : null))
    const watched = (now: number): Deps => {
      const deps = at(now)
      const send = (mail: OutgoingMail): Promise<void> => {
        ids.push(mail.messageId)
        return deps.mail.send(mail)
      }
      return { ...deps, mail: { send } }
    }
    const key = await ordered(at(START))
    let now = START
    for (let attempt = 1; attempt <= 3; attempt++) {
      await deliverMail(watched(now))
      expect(await rowOf(key)).toMatchObject({ attempts: attempt, last_error: 'down', delivered_at: null })
      await deliverMail(watched(now + retryDelayMs(attempt) - 1))
      expect(ids).toHaveLength(attempt)
      now += retryDelayMs(attempt)
    }
    expect(retryDelayMs(1)).toBeLessThan(retryDelayMs(2))
    down = false
    await deliverMail(watched(now))
    expect(sent).toHaveLength(1)
    expect(new Set(ids).size).toBe(1)
    expect(await rowOf(key)).toMatchObject({ delivered_at: now, last_error: null })
  })

  it(`gives up after ${SEND_ATTEMPTS_MAX} tries`, async () => {
    const { at } = post(() => new Error('down'))
    const key = await ordered(at(START))
    for (let attempt = 1; attempt <= SEND_ATTEMPTS_MAX + 3; attempt++) await deliverMail(at(START + attempt * DAY_MS))
    expect(await rowOf(key)).toMatchObject({ attempts: SEND_ATTEMPTS_MAX, payload: '{}', delivered_at: null })
    expect((await rowOf(key))?.failed_at).not.toBeNull()
  })

  it('counts refused invitations against the workspace, no other mails and no order of ours without an address', async () => {
    const { deps } = post(() => new MailRefused('550 no such person'))
    const { id: workspaceId } = await aWorkspace()
    const invitation = { workspace: 'A', inviter: 'B', role: 'viewer', expiresAt: 1, serial: 1 } as const
    const orders: QueuedMail[] = [
      { to: 'a@example.com', template: 'invitation', inviteId: 'inv_a', ...invitation },
      { to: 'not an address', template: 'invitation', inviteId: 'inv_b', ...invitation },
      { to: 'c@example.com', template: 'trialEnded', workspace: 'A' },
    ]
    const outbox = orders.map((order) => mailOutboxEntry(order, { key: unique('mail'), workspaceId }))
    await commit(deps, { change: [], outbox })
    await deliverMail(deps)
    const used = env.DB.prepare("SELECT used FROM allowances WHERE workspace_id = ? AND name = 'bounces'")
    expect(await used.bind(workspaceId).first('used')).toBe(1)
  })

  it('gives up at once when the address is refused for good', async () => {
    const { at } = post(() => new MailRefused('550 no such person'))
    const key = await ordered(at(START))
    await deliverMail(at(START))
    await deliverMail(at(START + DAY_MS))
    expect(await rowOf(key)).toMatchObject({ attempts: 1, failed_at: START, last_error: '550 no such person' })
  })

  it('takes over what a deliverer left in the middle, and its late word changes nothing', async () => {
    const held: { let?: (error: Error) => void } = {}
    const slow = post()
    const key = await ordered(slow.deps)
    const stuck = new Promise<void>((_resolve, reject) => {
      held.let = reject
    })
    const first = deliverMail({ ...slow.deps, mail: { send: () => stuck } })
    while ((await rowOf(key))?.attempts !== 1) await new Promise((resolve) => setTimeout(resolve, 5))
    const later = slow.at(START + DAY_MS)
    await deliverMail(later)
    expect(slow.sent).toHaveLength(1)
    held.let?.(new Error('too late'))
    await first
    expect(await rowOf(key)).toMatchObject({ delivered_at: START + DAY_MS, last_error: null })
  })

  it.each(['anna@example.com\r\nRCPT TO:<evil@example.com>', 'a@b.se, evil@b.se', '"a b"@c.se', '<a@b.se>', ''])(
    'sends nothing to %j, for it is no single plain address (INJ-11)',
    async (to) => {
      const { deps, sent } = post()
      const key = await ordered(deps, { to })
      await deliverMail(deps)
      expect(sent).toEqual([])
      expect((await rowOf(key))?.failed_at).toBe(START)
    },
  )

  it('gives one failing mail no power over the others', async () => {
    let first = true
    const { deps, sent } = post(() => {
      const error = first ? new MailRefused('550') : null
      first = false
      return error
    })
    for (let n = 0; n < 6; n++) await ordered(deps)
    await deliverMail(deps)
    expect(sent).toHaveLength(5)
  })

  it('removes what was dealt with 30 days ago, and nothing that waits', async () => {
    const { deps, at } = post()
    const [done, waits] = [await ordered(deps), await ordered(at(START - 1))]
    await env.DB.prepare('UPDATE outbox SET next_attempt_at = ? WHERE key = ?')
      .bind(START + 90 * DAY_MS, waits)
      .run()
    await deliverMail(deps)
    await deleteProcessedEvents(at(START + 29 * DAY_MS))
    expect(await rowOf(done)).not.toBeNull()
    await deleteProcessedEvents(at(START + 31 * DAY_MS))
    expect(await rowOf(done)).toBeNull()
    expect(await rowOf(waits)).not.toBeNull()
  })
})
