import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { aSession, signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLoadedSource, loadFileInto, sales } from '../../../test/worker/loads'
import { requestSocket, recordMessages, openTestSocket, type TestSocket } from '../../../test/worker/sockets'
import { createApp } from '../../app'
import { SOCKET_GRANT_HEADER, type SocketGrant } from '../../live/socket-grant'
import { FULL_RIGHTS, rightsFingerprint } from '../../scope'
import { LIVE_SOCKETS_OF_PERSON_MAX } from '../../shared/limits'
import { LIVE_CLOSE_CODES, LIVE_PING, LIVE_PONG, type LiveEvent } from '../../shared/live'

const app = createApp()
const CHANGED = LIVE_CLOSE_CODES.changed.code
const hubOf = ({ workspaceId }: Pick<SignedIn, 'workspaceId'>) => env.WORKSPACE_HUB.getByName(workspaceId)
const changed = (id: string | null): LiveEvent => ({ kind: 'changed', noun: 'insight', id })
const rows = (datasetId: string, dataVersion = 1): LiveEvent => ({ kind: 'data', datasetId, dataVersion })
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json<{ code: string }>()).code}`
const colleague = (me: SignedIn, role: 'viewer' | 'analyst' | 'admin' | 'client' = 'analyst') =>
  signedIn({ app, workspaceId: me.workspaceId, role })

/** A socket of somebody who may read these datasets only. */
async function pageWith(me: SignedIn, datasets: SocketGrant['datasets']): Promise<TestSocket> {
  const socketGrant: SocketGrant = {
    ...{ workspaceId: me.workspaceId, userId: me.userId, session: me.sessionHash.slice(0, 32) },
    ...{ epoch: '1.1', role: 'owner', access: rightsFingerprint(FULL_RIGHTS), datasets },
  }
  const { webSocket } = await hubOf(me).fetch('http://hub/live', {
    headers: { upgrade: 'websocket', [SOCKET_GRANT_HEADER]: JSON.stringify(socketGrant) },
  })
  if (!webSocket) throw new Error('no socket')
  return recordMessages(webSocket)
}

describe('GET /live', () => {
  it('opens for a member, from a page of our own only', async () => {
    const me = await signedIn({ app })
    const answer = await requestSocket(me)
    expect([answer.status, answer.webSocket !== null]).toEqual([101, true])
    expect(await codeOf(await requestSocket(me, { origin: 'https://evil.example' }))).toBe('403 forbidden')
    expect(await codeOf(await requestSocket(me, { origin: 'null' }))).toBe('403 forbidden')
    expect(await codeOf(await me.fetch('/live'))).toBe('426 upgrade_required')
  })

  it('tells a foreign workspace from an unknown one in nothing', async () => {
    const [me, other] = [await signedIn({ app }), await signedIn({ app })]
    expect(await codeOf(await requestSocket({ ...me, workspaceId: other.workspaceId }))).toBe('404 not_found')
    expect(await codeOf(await requestSocket({ ...me, workspaceId: 'nowhere' }))).toBe('404 not_found')
    expect(await codeOf(await requestSocket({ ...me, workspaceId: '' }))).toBe('404 not_found')
  })

  it('is closed to visitors and to people of the portal', async () => {
    const me = await signedIn({ app })
    expect(await codeOf(await requestSocket({ ...me, cookie: '' }))).toBe('401 unauthenticated')
    expect(await codeOf(await requestSocket(await colleague(me, 'client')))).toBe('403 forbidden')
  })
})

describe('an open page', () => {
  it('learns of new rows once they stand, and of an insight that a colleague makes', async () => {
    const me = await signedIn({ app })
    const { datasetId } = await createLoadedSource(me, sales([['Ada', 10]]))
    const page = await openTestSocket(await colleague(me, 'viewer'))
    await loadFileInto(me, datasetId, { text: sales([['Ada', 12]]) })
    await expect.poll(() => page.events()).toContainEqual(rows(datasetId, 2))
    // What follows new rows is told when it is done.
    const found: LiveEvent = { kind: 'changed', noun: 'finding', id: null }
    await expect.poll(() => page.events(), { timeout: 20_000 }).toContainEqual(found)
    const plan = { v: 1, kind: 'aggregate', dataset: datasetId, measures: [{ kind: 'column', agg: 'count' }] }
    const made = await me.fetch('/api/insights', {
      method: 'POST',
      json: { name: 'Rows', plan: { ...plan, dimensions: [], filters: [] }, viz: { chart: 'number' } },
    })
    const { id } = await made.json<{ id: string }>()
    await expect.poll(() => page.events()).toContainEqual(changed(id))
  })

  it('hears nothing of another workspace', async () => {
    const [me, other] = [await signedIn({ app }), await signedIn({ app })]
    const [mine, theirs] = [await openTestSocket(me), await openTestSocket(other)]
    await hubOf(other).tell([rows('theirs')])
    await hubOf(me).tell([rows('mine')])
    expect([await mine.told(1), await theirs.told(1)]).toEqual([[rows('mine')], [rows('theirs')]])
  })

  it('hears of new rows in the datasets it may read, and of other changes without what changed', async () => {
    const me = await signedIn({ app })
    const [some, all] = [await pageWith(me, ['a']), await pageWith(me, 'all')]
    await hubOf(me).tell([rows('a'), rows('b'), changed('i')])
    expect(await all.told(3)).toEqual([rows('a'), rows('b'), changed('i')])
    expect(await some.told(2)).toEqual([rows('a'), changed(null)])
  })

  it('keeps a list of datasets that is too long to remember by saying less, never more', async () => {
    const me = await signedIn({ app })
    const many = Array.from({ length: 1_000 }, (_, at) => `dataset-${at}`)
    const page = await pageWith(me, many)
    await hubOf(me).tell([rows('secret'), rows('dataset-1')])
    expect(await page.told(1)).toEqual([{ kind: 'changed', noun: 'source', id: null }])
  })

  it('hears of a burst in few messages, the newest of each, and nothing is lost', async () => {
    const me = await signedIn({ app })
    const page = await openTestSocket(me)
    const started = Date.now()
    for (let version = 1; version <= 200; version++) await hubOf(me).tell([rows('a', version), changed('i')])
    await expect.poll(() => page.events()).toContainEqual(rows('a', 200))
    const spent = Date.now() - started
    expect(page.messages.length).toBeLessThanOrEqual(Math.ceil(spent / 100) + 1)
  })

  it('is answered its ping and closed for anything else', async () => {
    const me = await signedIn({ app })
    const page = await openTestSocket(me)
    const pong = new Promise((resolve) => page.socket.addEventListener('message', ({ data }) => resolve(data)))
    page.socket.send(LIVE_PING)
    expect(await pong).toBe(LIVE_PONG)
    page.socket.send(JSON.stringify({ kind: 'data', datasetId: 'a', dataVersion: 9 }))
    expect(await page.closed).toBe(LIVE_CLOSE_CODES.unexpected.code)
  })

  it('stays open while its workspace sleeps', async () => {
    const me = await signedIn({ app })
    const page = await openTestSocket(me)
    await evictDurableObject(hubOf(me))
    await hubOf(me).tell([rows('a')])
    expect(await page.told(1)).toEqual([rows('a')])
  })

  it(`is one of ${LIVE_SOCKETS_OF_PERSON_MAX} of its person: the oldest gives way`, async () => {
    const me = await signedIn({ app })
    const other = await openTestSocket(await colleague(me))
    const pages: TestSocket[] = []
    for (let n = 0; n <= LIVE_SOCKETS_OF_PERSON_MAX; n++) pages.push(await openTestSocket(me))
    expect(await pages[0]?.closed).toBe(LIVE_CLOSE_CODES.replaced.code)
    await hubOf(me).tell([rows('a')])
    await Promise.all([other, ...pages.slice(1)].map((page) => page.told(1)))
  })
})

describe('a socket whose person may not listen any more is closed', () => {
  const put = (me: SignedIn, who: SignedIn, json: object) =>
    me.fetch(`/api/members/${who.userId}`, { method: 'PUT', json: { version: 1, ...json } })

  it.each([
    ['is removed', (me, who) => me.fetch(`/api/members/${who.userId}?version=1`, { method: 'DELETE' })],
    ['is suspended', (me, who) => put(me, who, { role: 'analyst', status: 'suspended' })],
    ['gets another role', (me, who) => put(me, who, { role: 'viewer', status: 'active' })],
    ['leaves', (_me, who) => who.fetch(`/api/members/${who.userId}?version=1`, { method: 'DELETE' })],
    ['signs out', (_me, who) => who.fetch('/api/session/sign-out', { method: 'POST' })],
  ] satisfies [string, (me: SignedIn, who: SignedIn) => Promise<Response>][])(
    'when a member %s, and nobody else’s',
    async (_name, end) => {
      const me = await signedIn({ app })
      const who = await colleague(me)
      const [mine, theirs] = [await openTestSocket(me), await openTestSocket(who)]
      expect((await end(me, who)).status).toBeLessThan(300)
      expect(await theirs.closed).toBe(CHANGED)
      await hubOf(me).tell([rows('a')])
      await expect.poll(() => mine.events()).toContainEqual(rows('a'))
      expect(theirs.events()).not.toContainEqual(rows('a'))
    },
  )

  it('when the workspace is deleted, everybody’s', async () => {
    const me = await signedIn({ app })
    const pages = [await openTestSocket(me), await openTestSocket(await colleague(me))]
    const { name, version } = await (await me.fetch('/api/workspace')).json<{ name: string; version: number }>()
    const deletion = { method: 'POST', json: { name, version } }
    expect((await me.fetch('/api/workspace/delete', deletion)).status).toBe(200)
    expect(await Promise.all(pages.map(({ closed }) => closed))).toEqual([CHANGED, CHANGED])
  })

  it('when other sessions are ended, those of the others alone', async () => {
    const me = await signedIn({ app })
    const mine = await openTestSocket(me)
    const other = await aSession(me.userId)
    const elsewhere = await openTestSocket({ ...me, cookie: `insikt_session=${other.token}` })
    expect((await me.fetch('/api/account/sessions', { method: 'DELETE' })).status).toBe(200)
    expect(await elsewhere.closed).toBe(CHANGED)
    await hubOf(me).tell([rows('a')])
    expect(await mine.told(1)).toEqual([rows('a')])
  })

  it('at the next round, when its end was told to nobody', async () => {
    const me = await signedIn({ app })
    const who = await colleague(me)
    const [mine, theirs] = [await openTestSocket(me), await openTestSocket(who)]
    await env.DB.prepare('DELETE FROM sessions WHERE hash = ?').bind(who.sessionHash).run()
    expect(await runDurableObjectAlarm(hubOf(me))).toBe(true)
    expect(await theirs.closed).toBe(CHANGED)
    await hubOf(me).tell([rows('a')])
    expect(await mine.told(1)).toEqual([rows('a')])
    const next = await runInDurableObject(hubOf(me), (_hub, { storage }) => storage.getAlarm())
    expect(next).toBeGreaterThan(Date.now())
  })
})
