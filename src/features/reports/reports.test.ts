import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { otherWorkspace, signedIn, visitor, type Caller, type SignedIn } from '../../../test/worker/factories'
import { aPng } from '../../../test/worker/pictures'
import { seedOf } from '../../../test/seed'
import { aRowOfEach, type ResourceIds } from '../../../test/worker/resources'
import { createApp } from '../../app'
import type { AuditItem } from '../../shared/audit'
import type { DeletedItem } from '../../shared/deleted'
import type { ListPage } from '../../shared/field-schemas'
import type { ReportComments } from '../../shared/reports/comments'
import type {
  Report,
  ReportBookmark,
  ReportContentInput,
  ReportPicture,
  ReportPublication,
  ReportSummary,
} from '../../shared/reports/reports'

const app = createApp()
let [me, viewer]: SignedIn[] = []
let ids: ResourceIds
beforeAll(async () => {
  me = await signedIn({ app })
  viewer = await signedIn({ app, workspaceId: me.workspaceId, role: 'viewer' })
  ids = await aRowOfEach(me.workspaceId, me.userId)
})

const owner = (): SignedIn => {
  if (!me) throw new Error('nobody')
  return me
}
const reader = (): SignedIn => {
  if (!viewer) throw new Error('nobody')
  return viewer
}
async function call<T = Record<string, unknown>>(
  path: string,
  {
    json,
    method = json === undefined ? 'GET' : 'POST',
    as = owner(),
  }: { json?: unknown; method?: string; as?: Caller } = {},
): Promise<T & { httpStatus: number }> {
  const answer = await as.fetch(`/api/reports${path}`, { method, ...(json === undefined ? {} : { json }) })
  return { ...(await answer.json<T>()), ...{ httpStatus: answer.status } }
}
let serial = 0
const make = async (name = `Report ${++serial}`): Promise<Report> => {
  const made = await owner().fetch('/api/reports', { method: 'POST', json: { kind: 'interactive', name } })
  expect(made.status).toBe(201)
  return made.json()
}
const place = { x: 0, y: 0, w: 6, h: 6 }
const content = (...blocks: object[]): ReportContentInput =>
  JSON.parse(
    JSON.stringify({
      ...{ v: 1, period: { range: null, compare: 'none' }, filters: [] },
      pages: [
        { id: 'page01', name: 'Page', blocks: blocks.map((block, at) => ({ id: `block${at}`, place, ...block })) },
      ],
    }),
  )
const save = (report: Pick<Report, 'id' | 'name' | 'version'>, ...blocks: object[]) =>
  call<Report & { code?: string; current?: Report }>(`/${report.id}`, {
    ...{ method: 'PUT', json: { name: report.name, content: content(...blocks), version: report.version } },
  })
const publish = (report: Pick<Report, 'id' | 'version'>, note = '') =>
  call<Report & { code?: string; problems?: { block: string; message: string }[] }>(`/${report.id}/publish`, {
    json: { version: report.version, note },
  })
const text = (words: string) => ({ kind: 'text', text: words })

describe('a report', () => {
  it('is a draft that readers do not know of until it is published, and then as it was published', async () => {
    const made = await make()
    expect(made).toMatchObject({ status: 'draft', version: 1, publication: 0, published: null, changed: true })
    const seen = () => reader().fetch(`/api/reports/${made.id}`)
    const listed = async () =>
      (await call<ListPage<ReportSummary>>('?limit=100', { as: reader() })).items.find(({ id }) => id === made.id)
    expect([(await seen()).status, await listed()]).toEqual([404, undefined])
    const saved = await save(made, text('one'))
    const published = await publish(saved, 'First')
    expect(published).toMatchObject({ status: 'published', version: 3, publication: 1, changed: false })
    const changed = await save(published, text('two'))
    expect(changed).toMatchObject({ changed: true, draft: content(text('two')), published: content(text('one')) })
    expect(await (await seen()).json()).toMatchObject({ draft: null, changed: false, published: content(text('one')) })
    expect(await listed()).toMatchObject({ status: 'published', changed: false })
    expect(await call(`/${made.id}`)).toMatchObject({ ...changed, httpStatus: 200 })
  })

  it('is saved by whoever saw its newest version, under a name of its own', async () => {
    const [one, two] = [await make(), await make()]
    expect(await save(one)).toMatchObject({ version: 2 })
    expect(await save(one)).toMatchObject({ code: 'version_conflict', current: { id: one.id, version: 2 } })
    expect(await save({ ...two, name: one.name.toUpperCase() })).toMatchObject({ code: 'name_taken' })
    expect(await publish(one)).toMatchObject({ code: 'version_conflict' })
    expect(await save(two, { kind: 'nothing' })).toMatchObject({ code: 'invalid_input' })
    const twice = content(text('a'), text('b'))
    const same = { ...twice, pages: [...twice.pages, ...twice.pages] }
    expect(
      await call(`/${two.id}`, { method: 'PUT', json: { name: two.name, content: same, version: 1 } }),
    ).toMatchObject({ code: 'invalid_input' })
  })

  it('is not published while it names what is not there, and says where', async () => {
    const made = await make()
    const shown = (id: string) => ({ kind: 'insight', insight: id })
    const gone = ids['insights']?.replace(/.$/, (last) => (last === '0' ? '1' : '0')) ?? ''
    const saved = await save(
      made,
      shown(ids['insights'] ?? ''),
      shown(gone),
      text('{{metric.Nothing}} {{period}} {{metric.X|someday}}'),
      { kind: 'forecast', forecast: ids['forecasts'] },
      { kind: 'statement', source: ids['data-sources'], query: { statement: 'income' } },
      { kind: 'kpis', figures: [{ subject: { kind: 'metric', id: ids['metrics'] } }] },
    )
    expect(saved.version).toBe(2)
    const refused = await publish(saved)
    expect(refused).toMatchObject({
      code: 'invalid_input',
      problems: [
        { block: 'block1', message: expect.stringMatching(/^Insight not found/) },
        { block: 'block2', message: 'Metric not found: {{metric.Nothing}}' },
        { block: 'block2', message: 'Unknown token: {{metric.X|someday}}' },
      ],
    })
    expect(await call(`/${made.id}`)).toMatchObject({ publication: 0, version: 2 })
  })

  it('is named among what uses a metric or a source', async () => {
    const made = await make()
    await save(
      made,
      { kind: 'kpis', figures: [{ subject: { kind: 'metric', id: ids['metrics'] } }] },
      { kind: 'statement', source: ids['data-sources'], query: { statement: 'income' } },
    )
    const found = await owner().fetch(`/api/metrics/${ids['metrics']}/dependents`)
    const report = { type: 'report', id: made.id, name: made.name, kind: made.kind }
    for (const [id, n] of [
      [ids['metrics'], 1],
      [ids['forecasts'], 0],
    ] as const) {
      const { items } = await call<ListPage<ReportSummary>>(`?limit=100&showing=${id}`)
      expect(items.filter((one) => one.id === made.id)).toHaveLength(n)
    }
    expect((await found.json<ListPage<unknown>>()).items).toContainEqual(report)
    const refused = await owner().fetch(`/api/data-sources/${ids['data-sources']}?version=1`, { method: 'DELETE' })
    expect(await refused.json()).toMatchObject({ code: 'in_use', dependents: expect.arrayContaining([report]) })
  })

  it('goes back to any publication, as a draft', async () => {
    let report = await make()
    for (const words of ['one', 'two']) report = await publish(await save(report, text(words)), words)
    const { items } = await call<ListPage<ReportPublication>>(`/${report.id}/publications`, { as: reader() })
    expect(items).toMatchObject([
      { n: 2, note: 'two', publishedBy: owner().userId, publishedByName: 'Test Person' },
      { n: 1, note: 'one' },
    ])
    const restore = (n: string) =>
      call<Report>(`/${report.id}/publications/${n}/restore`, { json: { version: report.version } })
    expect(await restore('1')).toMatchObject({ draft: content(text('one')), published: content(text('two')) })
    for (const n of ['9', '0', 'x'])
      expect(await restore(n)).toMatchObject({ code: expect.stringMatching(/not_found|conflict/) })
  })

  it('is copied as its draft stands, also as one of the other kind, with its pictures', async () => {
    const made = await make('Board')
    const sent = await owner().fetch(`/files/reports/${made.id}/pictures`, { method: 'POST', body: aPng() })
    const { picture } = await sent.json<ReportPicture>()
    expect([sent.status, (await owner().fetch(`/files/pictures/${picture}`)).status]).toEqual([201, 200])
    const saved = await save(made, { kind: 'image', picture })
    const copy = await call<Report>(`/${made.id}/duplicate`, { json: {} })
    expect(copy).toMatchObject({ name: 'Board copy', kind: 'interactive', draft: saved.draft, publication: 0 })
    expect(await call(`/${made.id}/convert`, { json: {} })).toMatchObject({ name: 'Board legacy', kind: 'legacy' })
    await env.DB.prepare('DELETE FROM reports WHERE id = ?').bind(made.id).run()
    const stray = env.DB.prepare('SELECT count(*) AS n FROM stray_pictures WHERE key = ?').bind(picture)
    expect(await stray.first('n')).toBe(0)
    await env.DB.prepare("DELETE FROM reports WHERE name LIKE 'Board%'").run()
    expect(await stray.first('n')).toBe(1)
    const broken = await owner().fetch(`/files/reports/${(await make()).id}/pictures`, { method: 'POST', body: 'x' })
    expect(await broken.json()).toMatchObject({ code: 'file_unreadable' })
  })

  it('is put away and taken out, and can be brought back for 30 days after it was deleted', async () => {
    const made = await make()
    const archive = (version: number, archived: boolean) =>
      call<Report>(`/${made.id}/archive`, { method: 'PUT', json: { version, archived } })
    expect(await archive(1, true)).toMatchObject({ status: 'archived', version: 2 })
    const named = async (search: string) =>
      (await call<ListPage<ReportSummary>>(`?q=${encodeURIComponent(made.name)}${search}`)).items.map(({ id }) => id)
    expect([await named(''), await named('&archived=1'), await named('&archived=1&kind=legacy')]).toEqual([
      [],
      [made.id],
      [],
    ])
    expect(await archive(1, false)).toMatchObject({ code: 'version_conflict' })
    expect(await archive(2, false)).toMatchObject({ status: 'draft' })
    const remove = (version: number) => call(`/${made.id}?version=${version}`, { method: 'DELETE' })
    expect(await remove(1)).toMatchObject({ code: 'version_conflict' })
    expect(await remove(3)).toMatchObject({ id: made.id })
    expect(await call(`/${made.id}`)).toMatchObject({ code: 'not_found' })
    const deleted = await (await owner().fetch('/api/deleted')).json<ListPage<DeletedItem>>()
    expect(deleted.items).toContainEqual(expect.objectContaining({ kind: 'report', id: made.id, name: made.name }))
    expect(await call(`/${made.id}/restore`, { json: {} })).toMatchObject({ id: made.id, version: 5 })
    expect(await call(`/${made.id}`)).toMatchObject({ version: 5 })
    const { items } = await (await owner().fetch(`/api/audit?entityId=${made.id}`)).json<ListPage<AuditItem>>()
    expect(items.map(({ words }) => words)).toEqual(
      ['restored', 'deleted', 'unarchived', 'archived', 'created'].map((word) => `${word} report “${made.name}”`),
    )
  })

  it('is listed page by page, the newest first', async () => {
    const made = [await make(), await make(), await make()].map(({ id }) => id)
    const first = await call<ListPage<ReportSummary>>('?limit=2')
    const second = await call<ListPage<ReportSummary>>(`?limit=2&cursor=${first.nextCursor}`)
    const seen = [...first.items, ...second.items].map(({ id }) => id)
    expect(new Set(seen).size).toBe(4)
    expect(seen.slice(0, 3).toSorted()).toEqual(made.toSorted())
    expect(await call('?cursor=x')).toMatchObject({ code: 'invalid_input' })
  })
})

describe('bookmarks', () => {
  it('are each reader’s own', async () => {
    const report = await publish(await make())
    const add = (as: Caller, name: string) =>
      call<ReportBookmark>(`/${report.id}/bookmarks`, { as, json: { name, search: '?period=this_month' } })
    const mine = await add(reader(), 'Mine')
    await add(owner(), 'Theirs')
    const of = async (as: Caller) =>
      (await call<ListPage<ReportBookmark>>(`/${report.id}/bookmarks`, { as })).items.map(({ name }) => name)
    expect([await of(reader()), await of(owner())]).toEqual([['Mine'], ['Theirs']])
    const remove = (as: Caller) => call(`/${report.id}/bookmarks/${mine.id}`, { as, method: 'DELETE' })
    expect(await remove(owner())).toMatchObject({ code: 'not_found' })
    expect(await remove(reader())).toMatchObject({ id: mine.id })
    expect(await of(reader())).toEqual([])
  })
})

describe('who may', () => {
  it('see and change reports is decided by workspace, role and plan', async () => {
    const { id } = await make()
    const stranger = await otherWorkspace(app)
    for (const path of ['', '/publications', '/bookmarks'])
      expect(await call(`/${id}${path}`, { as: stranger })).toMatchObject({ code: 'not_found' })
    const json = { name: 'Theirs', content: content(), version: 1 }
    expect(await call(`/${id}`, { as: stranger, method: 'PUT', json })).toMatchObject({ code: 'not_found' })
    expect(await call(`/${id}`, { as: reader(), method: 'PUT', json })).toMatchObject({ code: 'forbidden' })
    expect(await call('', { as: reader(), json: { kind: 'legacy', name: 'A' } })).toMatchObject({ code: 'forbidden' })
    expect(await call('', { as: await visitor({ app }) })).toMatchObject({ code: 'unauthenticated' })
    const without = await signedIn({
      app,
      subscription: { state: 'active', planId: 'personal', override: { reporting: false } },
    })
    expect(await call('', { as: without, json: { kind: 'legacy', name: 'A' } })).toMatchObject({
      code: 'plan_required',
    })
    expect(await call('', { as: without })).toMatchObject({ items: [] })
  })

  it('hold more than 500 of them is nobody', async () => {
    const full = await signedIn({ app })
    await env.DB.prepare(
      `INSERT INTO reports (id, workspace_id, kind, name, name_key, draft, owner_id, created_at, updated_at)
       SELECT 'r' || ?1 || value, ?1, 'interactive', value, value, '{}', ?2, 1, 1 FROM json_each(?3)`,
    )
      .bind(full.workspaceId, full.userId, JSON.stringify(Array.from({ length: 500 }, (_, n) => `${n}`)))
      .run()
    const json = { kind: 'interactive', name: 'One more' }
    expect(await call('', { as: full, json })).toMatchObject({ code: 'limit_reached', used: 500, max: 500 })
  })
})

/** A repeatable sequence of numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}
const LONG = env.LONG === '1'
const SEEDS = LONG ? 50 : 3
const WAVES = LONG ? 30 : 8

/** What of a report somebody was told they had written. */
type SavedVersion = { version: number } & ({ kind: 'save' | 'restore'; words: string } | { kind: 'publish' })

describe('a report that 8 clients write at once (CON-2)', () => {
  const clients: SignedIn[] = []
  beforeAll(async () => {
    const editor = await signedIn({ app, subscription: { override: { users: 20, analysts: 20 } } })
    clients.push(editor)
    while (clients.length < 8)
      clients.push(
        await signedIn({ app, workspaceId: editor.workspaceId, role: clients.length % 2 ? 'analyst' : 'admin' }),
      )
  })
  const wordsOf = (of: Report['draft'] | undefined): string => {
    const block = of?.pages[0]?.blocks[0]
    return block?.kind === 'text' ? block.text : ''
  }

  /** What one report went through, and what was confirmed of it. */
  async function history(seed: number, as: SignedIn) {
    const roll = dice(seed)
    const made = await call<Report>('', { as, json: { kind: 'interactive', name: `Seed ${seed}` } })
    const [at, done, said, texts]: [string, SavedVersion[], string[], Map<number, string>] = [
      `/${made.id}`,
      [],
      [],
      new Map(),
    ]
    let serial = 0
    const written = async (
      of: SavedVersion,
      path: string,
      json: object,
      by: SignedIn,
      method = 'POST',
    ): Promise<void> => {
      const answer = await call<Report & { code?: string; current?: Report }>(`${at}${path}`, { as: by, json, method })
      if (answer.httpStatus === 200) {
        expect(answer.version).toBe(of.version + 1)
        done.push(of)
        return
      }
      expect([answer.httpStatus, answer.code]).toEqual([409, 'version_conflict'])
      // What is stored is later than what this writer had seen.
      expect(answer.current?.version).toBeGreaterThan(of.version)
    }
    const operation = async (by: SignedIn, { version, publication, name }: Report): Promise<void> => {
      const [kind, words] = [roll(10), `Words ${seed} ${++serial}`]
      if (kind < 5) {
        const json = { name, content: content(text(words)), version }
        return written({ kind: 'save', version, words }, '', json, by, 'PUT')
      }
      if (kind < 7) return written({ kind: 'publish', version }, '/publish', { version, note: words }, by)
      if (kind < 8 && publication > 0) {
        const n = 1 + roll(publication)
        const back = { kind: 'restore' as const, version, words: texts.get(n) ?? '' }
        return written(back, `/publications/${n}/restore`, { version }, by)
      }
      const comment = await call(`${at}/comments`, { as: by, json: { block: 'block0', body: words, mentions: [] } })
      // 404: nothing was published of which something could be said; 429 where one person has said enough in an hour.
      expect([201, 404, 429]).toContain(comment.httpStatus)
      if (comment.httpStatus === 201) said.push(words)
    }
    let known = await call<Report>(at, { as })
    for (let wave = 0; wave < WAVES; wave += 1) {
      const fresh = await call<Report>(at, { as })
      const { items } = await call<ListPage<ReportPublication>>(`${at}/publications`, { as })
      for (const { n } of items) if (n === fresh.publication) texts.set(n, wordsOf(fresh.published))
      // Some write from what they read a wave ago.
      await Promise.all(clients.map((by) => operation(by, roll(4) === 0 ? known : { ...fresh })))
      known = fresh
    }
    const end = await call<Report>(at, { as })
    const comments = await call<ReportComments>(`${at}/comments`, { as })
    const { items } = await call<ListPage<ReportPublication>>(`${at}/publications`, { as })
    return { done: done.toSorted((a, b) => a.version - b.version), said, end, comments, publications: items }
  }

  it('has one winner for each revision, in their order, and nothing confirmed is lost', async () => {
    const [editor] = clients
    if (!editor) throw new Error('nobody')
    const first = seedOf(LONG)
    console.info(`${SEEDS} histories of ${WAVES * 8} operations on a report, from seed ${first}`)
    for (let seed = first; seed < first + SEEDS; seed += 1) {
      const { done, said, end, comments, publications } = await history(seed, editor)
      expect(
        done.map(({ version }) => version),
        `seed ${seed}`,
      ).toEqual(done.map((_, at) => at + 1))
      expect(end.version).toBe(done.length + 1)
      // Played one after the other, the confirmed writes give what is stored.
      let [draft, shown, count] = ['', '', 0]
      for (const one of done) {
        if (one.kind === 'publish') [shown, count] = [draft, count + 1]
        else draft = one.words
      }
      expect([wordsOf(end.draft), wordsOf(end.published ?? null), end.publication], `seed ${seed}`).toEqual([
        draft,
        shown,
        count,
      ])
      expect(publications.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, at) => count - at))
      expect(comments.items.map(({ body }) => body).toSorted()).toEqual(said.toSorted())
      expect(done.length).toBeGreaterThan(WAVES / 2)
    }
  })
})
