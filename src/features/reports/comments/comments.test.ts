import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../../test/worker/access/guarded-workspace'
import { otherWorkspace, type SignedIn } from '../../../../test/worker/factories'
import { queuedMailsTo } from '../../../../test/worker/mails'
import { createApp } from '../../../app'
import { systemIds } from '../../../deps'
import { effectsOfCommit } from '../../../live/events'
import type { Insight } from '../../../shared/insights'
import { COMMENTS_MAX, type ReportComment, type ReportComments } from '../../../shared/reports/comments'
import type { Report } from '../../../shared/reports/reports'

const app = createApp()
let workspace: GuardedWorkspace
let [owner, north, blind, viewer]: SignedIn[] = []
let report: Report

type Answered = ReportComment & ReportComments & { code: string; fields?: Record<string, string>; status: number }
async function sent<T>(who: SignedIn | undefined, path: string, json?: unknown, method = json ? 'POST' : 'GET') {
  if (!who) throw new Error('nobody')
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { body: await answer.json<T>(), status: answer.status }
}
async function call(...asked: Parameters<typeof sent>): Promise<Answered> {
  const { body, status } = await sent<Answered>(...asked)
  return { ...body, status }
}
const LIST = () => `/api/reports/${report.id}/comments`
const write = (who: SignedIn | undefined, input: object) => call(who, LIST(), { block: 'pay001', ...input })
const read = (who: SignedIn | undefined) => call(who, LIST())
const bodies = async (who: SignedIn | undefined) => (await read(who)).items.map(({ body }) => body)
const clear = () => env.DB.prepare('DELETE FROM report_comments').run()
/** Gives a person a name and an address. */
const called = (who: SignedIn | undefined, name: string) =>
  env.DB.prepare('UPDATE users SET name = ?, email = ? WHERE id = ?')
    .bind(name, `${who?.userId}@example.com`, who?.userId)
    .run()
const idOf = (who: SignedIn | undefined): string => who?.userId ?? ''

beforeAll(async () => {
  workspace = await guardedWorkspace(app)
  owner = workspace.owner
  ;[north, blind, viewer] = [
    await workspace.join('analyst'),
    await workspace.join('viewer'),
    await workspace.join('viewer'),
  ]
  const field = { dataset: workspace.datasetId, column: 'c2' }
  const plan = {
    ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [] },
    measures: [{ kind: 'column', agg: 'sum', field }],
  }
  const { body: insight } = await sent<Insight>(owner, '/api/insights', { name: 'Pay', plan, viz: { chart: 'number' } })
  const { body: made } = await sent<Report>(owner, '/api/reports', { kind: 'interactive', name: 'Board' })
  const place = { x: 0, y: 0, w: 6, h: 6 }
  const blocks = [
    { id: 'pay001', kind: 'insight', insight: insight.id, place },
    { id: 'text01', kind: 'text', text: 'Words', place: { ...place, x: 6 } },
    { id: 'line01', kind: 'divider', place: { ...place, y: 6 } },
  ]
  const content = {
    v: 1,
    period: { range: null, compare: 'none' },
    filters: [],
    pages: [{ id: 'page01', name: 'Page', blocks }],
  }
  const { body: saved } = await sent<Report>(
    owner,
    `/api/reports/${made.id}`,
    { name: made.name, content, version: 1 },
    'PUT',
  )
  report = (await sent<Report>(owner, `/api/reports/${made.id}/publish`, { version: saved.version })).body
  await savePolicy(owner, {
    rules: [
      onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: north.userId }),
      {
        ...onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: blind.userId }),
        ...{ columns: [{ key: 'c2' as const, grant: 'hide' as const }] },
      },
    ],
  })
  for (const [who, name] of [
    [owner, 'Otto'],
    [north, 'Nora Ek'],
    [blind, 'Bo'],
    [viewer, 'Vera'],
  ] as const)
    await called(who, name)
})

describe('comments on the blocks of a report', () => {
  it('are changed by their author alone, deleted by the author or an administrator, and counted in the order they were written', async () => {
    await clear()
    const first = await write(viewer, { body: '  Down\r\nin May\u202e ' })
    expect(first).toMatchObject({ status: 201, body: 'Down\nin May', block: 'pay001', mayEdit: true, resolvedAt: null })
    await write(owner, { body: 'Price', block: 'text01' })
    const at = `/api/comments/${first.id}`
    expect((await call(owner, at, { body: 'Mine', version: 1 }, 'PUT')).code).toBe('forbidden')
    expect(await call(viewer, at, { body: 'Up', version: 1 }, 'PUT')).toMatchObject({ body: 'Up', version: 2 })
    expect((await call(viewer, at, { body: 'Again', version: 1 }, 'PUT')).code).toBe('version_conflict')
    expect((await call(north, `${at}?version=2`, undefined, 'DELETE')).status).toBe(404)
    expect((await read(owner)).items.map(({ body, mayEdit, mayDelete }) => [body, mayEdit, mayDelete])).toEqual([
      ['Up', false, true],
      ['Price', true, true],
    ])
    expect((await call(owner, `${at}?version=2`, undefined, 'DELETE')).status).toBe(200)
    expect(await bodies(viewer)).toEqual(['Price'])
    for (const body of ['', ' \n ', 'x'.repeat(2001)]) expect((await write(owner, { body })).code).toBe('invalid_input')
  })

  it('are not there for strangers, for blocks that are not, and for those that say nothing', async () => {
    const made = await write(owner, { body: 'Here' })
    const stranger = await otherWorkspace()
    expect([(await read(stranger)).status, (await write(stranger, { body: 'x' })).status]).toEqual([404, 404])
    expect((await call(stranger, `/api/comments/${made.id}`, { body: 'x', version: 1 }, 'PUT')).status).toBe(404)
    for (const block of ['line01', 'other1']) expect((await write(owner, { body: 'x', block })).status).toBe(404)
  })

  it('are done with and taken up again, once, and what is said later is open', async () => {
    await clear()
    await write(viewer, { body: 'One' })
    const resolve = (resolved: boolean) => call(owner, LIST(), { block: 'pay001', resolved }, 'PUT')
    const done = await resolve(true)
    expect(done.items).toMatchObject([{ resolvedAt: expect.any(String), resolvedByName: 'Otto', version: 1 }])
    expect((await resolve(true)).items).toEqual(done.items)
    await write(viewer, { body: 'Two' })
    expect((await read(viewer)).items.map(({ resolvedAt }) => resolvedAt !== null)).toEqual([true, false])
    expect((await resolve(false)).items.map(({ resolvedAt }) => resolvedAt)).toEqual([null, null])
    const told = await env.DB.prepare(
      "SELECT action FROM audit WHERE workspace_id = ? AND entity = 'comment' AND entity_id = ? ORDER BY rowid",
    )
      .bind(workspace.owner.workspaceId, report.id)
      .all<{ action: string }>()
    expect(told.results.map(({ action }) => action)).toEqual(['comment.resolve', 'comment.reopen'])
  })

  it('are told to open pages as they are written', () => {
    const entry = { workspaceId: 'ws', actorId: 'usr', action: 'comment.create', entity: 'comment', entityId: 'cmt' }
    expect(effectsOfCommit([entry]).eventsByWorkspace.get('ws')).toEqual([
      { kind: 'changed', noun: 'comment', id: 'cmt' },
    ])
  })

  it('stop at the limit of a report, however many are sent at once', async () => {
    await clear()
    const row = env.DB.prepare(
      "INSERT INTO report_comments (id, workspace_id, report_id, block_id, body, rights, audience, author_id, created_at) VALUES (?, ?, ?, 'pay001', 'x', '', 'everyone', ?, 1)",
    )
    await env.DB.batch(
      Array.from({ length: COMMENTS_MAX - 1 }, () =>
        row.bind(systemIds.next('comment'), workspace.owner.workspaceId, report.id, workspace.owner.userId),
      ),
    )
    const answers = await Promise.all(Array.from({ length: 4 }, () => write(owner, { body: 'More' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ code: 'limit_reached', max: COMMENTS_MAX })
  })
})

describe('who reads what is said of a block', () => {
  it('are those with the rights of its author, and those who see everything: a comment may quote figures', async () => {
    await clear()
    await write(owner, { body: 'All: 111 411,85' })
    await write(north, { body: 'North: 300,75' })
    expect(await bodies(viewer)).toEqual(['All: 111 411,85', 'North: 300,75'])
    expect(await read(north)).toMatchObject({ items: [{ body: 'North: 300,75' }], withheld: { pay001: 1 } })
    const kept = (await read(owner)).items[0]
    expect((await call(north, `/api/comments/${kept?.id}`, { body: 'x', version: 1 }, 'PUT')).status).toBe(404)
    // Nobody is done with what they cannot read.
    await call(north, LIST(), { block: 'pay001', resolved: true }, 'PUT')
    expect((await read(owner)).items.map(({ resolvedAt }) => resolvedAt !== null)).toEqual([false, true])
  })

  it('are all who see the block where who makes the rules says so', async () => {
    await clear()
    expect((await write(north, { body: 'x', audience: 'everyone' })).status).toBe(403)
    await write(owner, { body: 'Look at May', audience: 'everyone' })
    expect(await read(north)).toMatchObject({ items: [{ body: 'Look at May' }], withheld: {} })
    // Who makes rules no longer tells everyone nothing more, in what they once released either.
    const former = await workspace.join('admin')
    const { id } = await write(former, { body: 'Look at June', audience: 'everyone' })
    await env.DB.prepare("UPDATE members SET role = 'analyst' WHERE user_id = ?").bind(former.userId).run()
    expect((await call(former, `/api/comments/${id}`, { body: 'All: 111 411,85', version: 1 }, 'PUT')).status).toBe(403)
  })

  it('are never those from whom the subject is hidden: to them it has no comments at all', async () => {
    await clear()
    await write(owner, { body: 'Pay', audience: 'everyone' })
    await write(owner, { body: 'Words', audience: 'everyone', block: 'text01' })
    expect(await read(blind)).toMatchObject({ items: [{ body: 'Words' }], withheld: {}, blocks: ['text01'] })
    expect(await read(owner)).toMatchObject({ blocks: ['pay001', 'text01'], mayRelease: true })
    expect((await write(blind, { body: 'x' })).status).toBe(404)
    expect((await write(blind, { body: 'x', block: 'text01' })).status).toBe(201)
  })

  it('are told by mail when named, once; who may not read it cannot be named', async () => {
    await clear()
    const note = (body: string, who: SignedIn | undefined, more: object = {}) =>
      write(owner, { body, mentions: [idOf(who)], ...more })
    const made = await note('@Vera look', viewer)
    expect(made.mentions).toEqual([{ userId: idOf(viewer), name: 'Vera' }])
    await call(
      owner,
      `/api/comments/${made.id}`,
      { body: '@Vera look again', mentions: [idOf(viewer)], version: 1 },
      'PUT',
    )
    expect(await queuedMailsTo(`${idOf(viewer)}@example.com`)).toMatchObject([
      { template: 'commentMentioned', report: 'Board', page: 'page01', block: 'pay001', text: '@Vera look' },
    ])
    expect((await note('@Nora Ek look', north)).fields).toEqual({
      mentions: 'Nora Ek has different data access and can’t read this comment.',
    })
    expect((await note('@Nora Ek look', north, { audience: 'everyone' })).status).toBe(201)
    expect((await note('@Bo look', blind, { audience: 'everyone' })).fields).toEqual({
      mentions: 'Bo can’t view this block.',
    })
    expect((await note('@Test look', await otherWorkspace())).fields).toHaveProperty('mentions')
  })
})
