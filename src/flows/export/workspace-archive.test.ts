import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { uniqueFileNames } from './workspace-archive'
import { EXPORTED_TABLES, EXCLUDED_TABLES } from './export-entries'
import { datasetCsv } from './dataset-csv'
import { WORKSPACE_TABLES } from '../purge-store'
import { accessFingerprint, Scope } from '../../scope'
import { aRowOfEach } from '../../../test/worker/resources'
import { systemIds } from '../../deps'
import { openZip } from '../../formats/archive/zip-reader'
import { depsAt } from '../../../test/worker/deps'
import { expiredTrial, signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { createLoadedSource, sales } from '../../../test/worker/loads'
import { memorySource } from '../../../test/worker/memory-source'
import { column } from '../../../test/worker/warehouse-rows'
import { anyText } from '../../../test/worker/random/any-text'

const EXPORT = '/files/workspace/export'
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The files of the archive that the person gets, by name. */
async function exported(me: SignedIn): Promise<Map<string, string>> {
  const answer = await me.fetch(EXPORT)
  expect(answer.status).toBe(200)
  const archive = await openZip(memorySource('all.zip', await answer.bytes()))
  const texts = archive.entries.map(async (entry): Promise<[string, string]> => [
    entry.name,
    decoder.decode(await new Response(archive.stream(entry)).bytes()),
  ])
  return new Map(await Promise.all(texts))
}
const json = (files: Map<string, string>, name: string): unknown => JSON.parse(files.get(name) ?? 'null')

/** Makes the product's own list know a dataset that was put into the warehouse directly. */
async function listed(me: SignedIn, datasetId: string, name: string): Promise<void> {
  const source = systemIds.next('source')
  const now = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'file', ?, ?, 'ready', ?, ?, ?)",
    ).bind(source, me.workspaceId, name, name, me.userId, now, now),
    env.DB.prepare('INSERT INTO datasets (id, workspace_id, source_id, name) VALUES (?, ?, ?, ?)').bind(
      ...[datasetId, me.workspaceId, source, name],
    ),
  ])
}

describe('everything in a workspace as an archive', () => {
  it('holds the rows of every dataset, the files they came from, and what is known of them', async () => {
    const me = await signedIn()
    const text = sales([
      ['Åsa', 10],
      ['Bo; Co', '-2.50'],
    ])
    const { source } = await createLoadedSource(me, text)
    const files = await exported(me)
    expect([...files.keys()].slice(0, 5)).toEqual([
      ...['README.txt', 'workspace.json', 'sources.json', 'relations.json', 'insights.json'],
    ])
    const [rows] = [...files].filter(([name]) => name.startsWith('data/'))
    expect(rows?.[1].replace('\ufeff', '').split('\r\n').slice(0, 3)).toEqual([
      ...['day,customer,amount', expect.stringMatching(/^\d{4}-\d\d-\d\d,Åsa,10$/)],
      expect.stringMatching(/^\d{4}-\d\d-\d\d,"Bo; Co",-2.5$/),
    ])
    const originals = [...files].filter(([name]) => name.startsWith('originals/'))
    expect(originals.map(([, original]) => original)).toEqual([text])
    expect(originals[0]?.[0]).toMatch(/\.csv$/)
    expect(json(files, 'sources.json')).toMatchObject([
      { id: source.id, name: source.name, datasets: [{ file: rows?.[0], rowCount: 2 }] },
    ])
    for (const [name] of files) if (name.includes('/')) expect(files.get('README.txt')).toContain(name)
  })

  it('holds what people said of insights, and what these were before', async () => {
    const me = await signedIn()
    const { insights: insightId = '', categories: categoryId = '' } = await aRowOfEach(me.workspaceId, me.userId)
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at) VALUES (?, ?, 1, 'Before', '', '{}', '{}', ?, 1)",
      ).bind(me.workspaceId, insightId, me.userId),
      env.DB.prepare('UPDATE insights SET category_id = ? WHERE id = ?').bind(categoryId, insightId),
    ])
    const files = await exported(me)
    expect(json(files, 'notes.json')).toMatchObject([
      { insightId, body: 'note', authorId: me.userId, mentionedIds: [] },
    ])
    expect(json(files, 'insight-versions.json')).toMatchObject([{ insightId, version: 1, name: 'Before' }])
    expect(json(files, 'metrics.json')).toMatchObject([{ formula: 'count(*)', measure: { agg: 'count' }, filters: [] }])
    expect(json(files, 'groupings.json')).toMatchObject([{ kind: 'rules', periods: [{ from: null, groups: [] }] }])
    expect(json(files, 'categories.json')).toMatchObject([{ id: categoryId, icon: 'folder' }])
    expect(json(files, 'insights.json')).toMatchObject([{ id: insightId, categoryId, findings: 'on' }])
  })

  it('holds every note, though there are more than are read at once', async () => {
    const me = await signedIn()
    const { insights: insightId = '' } = await aRowOfEach(me.workspaceId, me.userId)
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       INSERT INTO notes (id, workspace_id, author_id, insight_id, body, created_at)
       SELECT ?1 || i, ?1, ?2, ?3, 'a ' || i || char(10) || ']', i FROM n`,
    )
      .bind(me.workspaceId, me.userId, insightId)
      .run()
    const notes = json(await exported(me), 'notes.json')
    const bodies = Array.from({ length: 1100 }, (_, n) => expect.objectContaining({ body: `a ${n + 1}\n]` }))
    expect(notes).toEqual([expect.objectContaining({ body: 'note' }), ...bodies])
  })

  it('holds targets, alerts with what happened to them, forecasts with what they said, rates and what accounts mean', async () => {
    const me = await signedIn()
    const made = await aRowOfEach(me.workspaceId, me.userId)
    const { insights: id, alerts: alertId = '', rates, forecasts = '' } = made
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const event = env.DB.prepare(
      "INSERT INTO alert_events (id, workspace_id, alert_id, kind, at, actor_id, label, period, value, rights) VALUES (?, ?, ?, 'opened', 1, ?, ?, '2026-01-01', 7.5, ?)",
    )
    const named = (label: string, rights: string) =>
      event.bind(systemIds.token(8), me.workspaceId, alertId, me.userId, label, rights)
    const [ends, band] = [[8], { lower: [7], upper: [9] }]
    const said = JSON.stringify({
      future: ['2026-02-01'],
      path: { mean: ends, bands: { 50: band, 80: band, 95: band } },
    })
    const run = (number: number, rights: string) =>
      env.DB.prepare(
        "INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, state, rights, created_at, finished_at, said) VALUES (?, ?, ?, ?, 'ready', ?, 1, 1, ?)",
      ).bind(systemIds.next('forecastRun'), me.workspaceId, forecasts, number, rights, said)
    await env.DB.batch([
      ...[run(1, 'other rights'), run(2, accessFingerprint(scope))],
      ...[named('=1+1', accessFingerprint(scope)), named('Hidden from me', 'other rights')],
      env.DB.prepare(
        'INSERT INTO account_classes (workspace_id, ranges, version, updated_at) VALUES (?, ?, 1, 1)',
      ).bind(...[me.workspaceId, JSON.stringify([{ from: 1000, to: 1999, line: 'otherReceivables' }])]),
    ])
    const files = await exported(me)
    expect(json(files, 'targets.json')).toMatchObject([{ subject: { kind: 'insight', id }, grain: 'month', lines: [] }])
    expect(json(files, 'alerts.json')).toMatchObject([{ id: alertId, ownerId: me.userId, active: true }])
    const log = (files.get('alert-log.csv') ?? '').split('\r\n')
    expect(log.slice(1, 3).map((line) => line.split(',').slice(2))).toEqual([
      ...[
        ['opened', expect.any(String), "'=1+1", '2026-01-01', '7.5'],
        ['opened', expect.any(String), '', '2026-01-01', ''],
      ],
    ])
    expect(json(files, 'forecasts.json')).toMatchObject([{ id: forecasts, ownerId: me.userId, scenarios: [] }])
    expect(json(files, 'reports.json')).toMatchObject([{ ownerId: me.userId, draft: { v: 1 }, published: null }])
    const runs = (files.get('forecast-runs.csv') ?? '').trimEnd().split('\r\n')
    expect(runs.slice(1).map((line) => line.split(',').slice(1))).toEqual([
      ['2', '1970-01-01T00:00:00.001Z', '2026-02-01', '8', '7', '9', '7', '9', '7', '9'],
    ])
    expect(json(files, 'rates.json')).toMatchObject({ shownIn: 'SEK', own: [{ id: rates, base: 'EUR', rate: '11' }] })
    expect(json(files, 'accounts.json')).toMatchObject({ adjusted: true, ranges: [{ from: 1000, to: 1999 }] })
  })

  it("holds of findings, follows and digests what is the asker's own, and nothing of anybody else", async () => {
    const me = await signedIn()
    const other = await signedIn({ workspaceId: me.workspaceId, role: 'admin' })
    const { insights = '', findings = '' } = await aRowOfEach(me.workspaceId, me.userId)
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const marked = (userId: string, key: string, pinned: number) =>
      env.DB.prepare(
        "INSERT INTO finding_marks (workspace_id, user_id, key, pinned_at, rating, updated_at) VALUES (?, ?, ?, ?, 'useful', 1)",
      ).bind(me.workspaceId, userId, key, pinned)
    const follows = (userId: string) =>
      env.DB.prepare(
        'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)',
      ).bind(me.workspaceId, insights, userId)
    await env.DB.batch([
      env.DB.prepare("UPDATE findings SET rights = ?, key = 'found' WHERE id = ?").bind(
        accessFingerprint(scope),
        findings,
      ),
      env.DB.prepare(
        "INSERT INTO findings (id, workspace_id, rights, key, dataset_id, about, effect, first_found_at, found_at) VALUES (?, ?, 'others', 'unseen', 'd', '{}', '{}', 1, 1)",
      ).bind(systemIds.next('finding'), me.workspaceId),
      ...[marked(me.userId, 'found', 1), marked(me.userId, 'gone', 2), marked(other.userId, 'others-mark', 3)],
      follows(other.userId),
      env.DB.prepare("INSERT INTO digests (workspace_id, user_id, cadence) VALUES (?, ?, 'daily')").bind(
        ...[me.workspaceId, other.userId],
      ),
    ])
    const files = await exported(me)
    expect(json(files, 'findings.json')).toMatchObject([
      { id: findings, key: 'found', yours: { pinnedAt: '1970-01-01T00:00:00.001Z', rating: 'useful' } },
      { id: null, key: 'gone', yours: { pinnedAt: '1970-01-01T00:00:00.002Z' } },
    ])
    expect(json(files, 'yours.json')).toEqual({
      ...{ followedInsights: [], reportBookmarks: [], blockSubscriptions: [], digest: 'weekly' },
      ...{ earlyAccess: [], feedback: [], briefing: [], lessOf: [] },
    })
    expect([...files.values()].join()).not.toMatch(/others-mark|unseen/)
    const theirs = await exported(other)
    expect(json(theirs, 'yours.json')).toMatchObject({ followedInsights: [{ id: insights }], digest: 'daily' })
  })

  it('holds every period of a grouping as the file that can be read in again', async () => {
    const me = await signedIn()
    const { groupings = '' } = await aRowOfEach(me.workspaceId, me.userId)
    const group = {
      id: 'g_1',
      parentId: null,
      name: 'North',
      color: null,
      order: 0,
      rules: [{ kind: 'in', values: ['=A'] }],
    }
    await env.DB.prepare("UPDATE groupings SET name = 'Regions', eras = ? WHERE id = ?")
      .bind(
        JSON.stringify([
          { from: null, groups: [group] },
          { from: '2026-01-01', groups: [] },
        ]),
        groupings,
      )
      .run()
    const files = await exported(me)
    expect(files.get('groupings/Regions.csv')).toBe("\ufeffGroup,Value,Rule\r\nNorth,'=A,\r\n")
    expect(files.get('groupings/Regions from 2026-01-01.csv')).toBe('\ufeffGroup,Value,Rule\r\n')
  })

  it('asks every table of a workspace, or says why it leaves it out', async () => {
    expect([...EXPORTED_TABLES.keys(), ...Object.keys(EXCLUDED_TABLES)].toSorted()).toEqual(
      [...WORKSPACE_TABLES].toSorted(),
    )
    const me = await signedIn()
    const asked: string[] = []
    const prepare = env.DB.prepare.bind(env.DB)
    const spy = vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
      asked.push(sql)
      return prepare(sql)
    })
    const files = await exported(me).finally(() => spy.mockRestore())
    const reads = asked.filter((sql) => !/^\s*(insert|update)/i.test(sql)).join('\n')
    for (const [table, file] of EXPORTED_TABLES) {
      expect(reads, table).toMatch(new RegExp(`(FROM|JOIN) ${table}\\b`))
      if (!file.endsWith('/')) expect([...files.keys()], table).toContain(file)
      expect(files.get('README.txt'), table).toContain(file)
    }
  })

  it('says who is in it and who was invited, and holds nothing that opens anything', async () => {
    const me = await signedIn()
    const { 'data-sources': source = '' } = await aRowOfEach(me.workspaceId, me.userId)
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO connections (source_id, workspace_id, kind, settings, secrets, frequency_hours, push_token_hash)
         VALUES (?, ?, 'url', '{"url":"https://files.example.com/a.csv"}', 'sealed-secret', 24, 'hash-of-token')`,
      ).bind(source, me.workspaceId),
      env.DB.prepare(
        "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES ('inv_secret', ?, 'new@example.com', 'viewer', ?, 1, 1, 2)",
      ).bind(me.workspaceId, me.userId),
      env.DB.prepare("UPDATE users SET password_hash = 'hash-of-me' WHERE id = ?").bind(me.userId),
    ])
    const files = await exported(me)
    expect(json(files, 'workspace.json')).toMatchObject({
      id: me.workspaceId,
      settings: { currency: 'SEK', timeZone: 'Europe/Stockholm' },
      members: [{ id: me.userId, role: 'owner' }],
      invitations: expect.arrayContaining([expect.objectContaining({ email: 'new@example.com', state: 'pending' })]),
      subscription: { state: 'trialing', planId: null, addOns: {}, details: {} },
    })
    const whole = [...files.values()].join()
    expect(json(files, 'connections.json')).toMatchObject([
      { sourceId: source, kind: 'url', settings: { url: 'https://files.example.com/a.csv' } },
    ])
    for (const secret of ['hash-of-me', 'inv_secret', me.sessionHash, 'sealed-secret', 'hash-of-token'])
      expect(whole).not.toContain(secret)
  })

  it('says what was bought and what stands on invoices, and nothing that billing knows it by', async () => {
    const me = await signedIn({
      subscription: { state: 'active', planId: 'standard', addOns: { extra_source: 2 }, override: { users: 40 } },
    })
    const details = { companyName: 'Exempel AB', billingEmail: 'faktura@example.com', taxId: 'SE556677889901' }
    await env.DB.prepare(
      `UPDATE subscriptions SET interval = 'yearly', method = 'invoice', customer_id = ?2, subscription_id = 'sub_secret',
         premium_id = 'sub_premium', period_ends_at = 1, checkout = '{"id":"cs_secret","url":"https://pay.example/cs_secret"}',
         details = ?3 WHERE workspace_id = ?1`,
    )
      .bind(me.workspaceId, `cus_${me.workspaceId}`, JSON.stringify(details))
      .run()
    const files = await exported(me)
    expect(json(files, 'workspace.json')).toMatchObject({
      subscription: {
        ...{ state: 'active', planId: 'standard', interval: 'yearly', addOns: { extra_source: 2 }, method: 'invoice' },
        ...{ ownLimits: { users: 40 }, periodEndsAt: '1970-01-01T00:00:00.001Z', details },
      },
    })
    expect([...files.values()].join()).not.toMatch(/cus_|sub_secret|sub_premium|cs_secret|pay\.example/)
  })

  it('leaves out deleted things, and another workspace altogether', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    await createLoadedSource(other, sales([['Theirs', 1]]))
    const { source } = await createLoadedSource(me, sales([['Mine', 1]]))
    await me.fetch(`/api/data-sources/${source.id}?version=${source.version}&force=1`, { method: 'DELETE' })
    const files = await exported(me)
    expect([...files.keys()].filter((name) => name.includes('/'))).toEqual([])
    expect(json(files, 'sources.json')).toEqual([])
  })

  it('has every column of a wide dataset but hidden ones, which it names', async () => {
    const me = await signedIn()
    const columns = Array.from({ length: 130 }, (_, n) =>
      column(n, { type: 'integer', label: `K${n}`, hidden: n === 7 }),
    )
    const rows = Array.from({ length: 300 }, (_, r) => columns.map((_c, n) => r * 1000 + n))
    await listed(me, await loadedDataset(me.workspaceId, rows, columns), 'Wide')
    const files = await exported(me)
    const shown = (row: (string | number)[]): string => row.filter((_cell, n) => n !== 7).join(',')
    const expected = [columns.map(({ label }) => label), ...rows].map(shown).join('\r\n')
    expect(files.get('sources.json')).toContain('"K7"')
    const text = files.get('data/Wide - Wide.csv') ?? ''
    expect(text).toBe(`\ufeff${expected}\r\n`)
  })

  it('has no text that a spreadsheet computes, and leaves figures as they are (INJ-4)', async () => {
    const me = await signedIn()
    const columns = [column(0, { type: 'text', label: '=A1' }), column(1, { type: 'number', scale: 4, label: 'N' })]
    const rows = [
      ['=1+1', -900_719_925_474_099],
      ['-2', -50_000],
      ['@x', null],
    ]
    await listed(me, await loadedDataset(me.workspaceId, rows, columns), 'F')
    const text = (await exported(me)).get('data/F - F.csv') ?? ''
    expect(text).toBe("\ufeff'=A1,N\r\n'=1+1,-90071992547.4099\r\n'-2,-5\r\n'@x,\r\n")
  })

  it('is for owners and administrators, also after the trial, and is logged', async () => {
    const me = await expiredTrial()
    const admin = await signedIn({ workspaceId: me.workspaceId, role: 'admin' })
    const analyst = await signedIn({ workspaceId: me.workspaceId, role: 'analyst' })
    expect((await analyst.fetch(EXPORT)).status).toBe(403)
    await exported(me)
    await exported(admin)
    const log = env.DB.prepare(
      "SELECT actor_id FROM audit WHERE workspace_id = ? AND action = 'workspace.export' ORDER BY at",
    )
    const { results } = await log.bind(me.workspaceId).all()
    expect(results).toEqual([{ actor_id: me.userId }, { actor_id: admin.userId }])
  })

  it('is given ten times an hour', async () => {
    const me = await signedIn()
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) {
      const answer = await me.fetch(EXPORT)
      await answer.bytes()
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })

  it.each([
    ['is suspended', "UPDATE members SET status = 'suspended' WHERE user_id = ?"],
    ['becomes an analyst', "UPDATE members SET role = 'analyst' WHERE user_id = ?"],
    ['is someone else by then', 'UPDATE users SET epoch = epoch + 1 WHERE id = ?'],
    [
      'finds the workspace deleted',
      'UPDATE workspaces SET deleted_at = 1 WHERE id IN (SELECT workspace_id FROM members WHERE user_id = ?)',
    ],
  ])('breaks off, never a quiet half, when the person %s meanwhile', async (_what, statement) => {
    const me = await signedIn()
    for (const name of ['A', 'B', 'C']) await listed(me, await loadedDataset(me.workspaceId, [['SE', 1]]), name)
    const answer = await me.fetch(EXPORT)
    const reader = answer.body?.getReader()
    await reader?.read()
    await env.DB.prepare(statement).bind(me.userId).run()
    const rest = async () => {
      while ((await reader?.read())?.done === false);
    }
    await expect(rest()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the rows of a dataset', () => {
  it('are of one version: new rows half-way end the file with a fault', async () => {
    const me = await signedIn()
    const rows = Array.from({ length: 5_200 }, (_, n) => ['SE', n])
    const datasetId = await loadedDataset(me.workspaceId, rows)
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const deps = depsAt(Date.now())
    const dataset = await deps.warehouse(scope).dataset(datasetId)
    const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-01' } as const
    const ask = { deps, scope, calendar, stillAllowed: () => Promise.resolve() }
    const lines = async (of: typeof dataset) => {
      let text = ''
      for await (const chunk of datasetCsv(ask, of)) text += new TextDecoder().decode(chunk)
      return text.split('\r\n').length - 2
    }
    expect(await lines(dataset)).toBe(5_200)
    await expect(lines({ ...dataset, dataVersion: dataset.dataVersion - 1 })).rejects.toMatchObject({ code: 'busy' })
  })
})

describe('names of files', () => {
  it('are what every file system takes, each once, whatever people called their things', () => {
    const names = fc.array(fc.oneof(fc.string(), anyText(), fc.constantFrom('..', 'CON', 'a/b', 'A/B', '.', '')))
    fc.assert(
      fc.property(names, (given) => {
        const nameOf = uniqueFileNames()
        const paths = given.map((name) => nameOf('data', name, '.csv'))
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
        for (const path of paths) {
          expect(path).toMatch(/^data\/[^/\\:*?"<>|\u0000-\u001f]+\.csv$/)
          expect(path.split('/').length).toBe(2)
          expect(path.isWellFormed()).toBe(true)
          expect(/^data\/(\.|con\.)/i.test(path)).toBe(false)
        }
      }),
    )
  })
})
