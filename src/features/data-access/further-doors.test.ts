import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
  type RuleInput,
} from '../../../test/worker/access/guarded-workspace'
import type { SignedIn } from '../../../test/worker/factories'
import { createLedger, inspectTable, openLedger, startLoad } from '../../../test/worker/loads'
import { createApp } from '../../app'
import type { SuggestedInsight } from '../../shared/insights'

const app = createApp()
const CANARY = /canary|98[\s.,\u00a0]?765|12[\s.,\u00a0]?345|111[\s.,\u00a0]?411/i
const member = ({ userId }: SignedIn) => ({ kind: 'member' as const, id: userId })
const hiding = (resource: RuleInput['resource'], subject: RuleInput['subject']): RuleInput => ({
  ...{ name: 'Hidden', subject, resource, effect: 'hide', rows: 'all', filters: [], columns: [], active: true },
})
async function made<T extends { id: string }>(who: SignedIn, path: string, json: unknown): Promise<T> {
  const answer = await who.fetch(path, { method: 'POST', json })
  expect([path, answer.status, await answer.clone().text()]).toEqual([path, 201, expect.anything()])
  return answer.json<T>()
}

let at: GuardedWorkspace
let admin: SignedIn
let analyst: SignedIn
/** An insight that both may not know of, over data that they see in part. */
let secret: string

beforeAll(async () => {
  at = await guardedWorkspace(app)
  const { owner, datasetId } = at
  ;[admin, analyst] = [await at.join('admin'), await at.join('analyst')]
  const category = await made<{ id: string }>(owner, '/api/categories', { name: 'Canary board', icon: 'folder' })
  const field = { dataset: datasetId, column: 'c2' }
  const plan = {
    ...{ v: 3, kind: 'aggregate', dimensions: [], filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field }],
  }
  const insight = { name: 'Canary plan', plan, viz: { chart: 'number' } }
  secret = (await made<{ id: string }>(owner, '/api/insights', insight)).id
  await env.DB.prepare('UPDATE insights SET category_id = ? WHERE id = ?').bind(category.id, secret).run()
  const mask: RuleInput['columns'] = [
    { key: 'c1', grant: 'hash' },
    { key: 'c4', grant: 'hide' },
  ]
  await savePolicy(owner, {
    rules: [admin, analyst].flatMap((who) => [
      { ...onlyRegion(datasetId, 'North', member(who)), columns: mask },
      hiding({ kind: 'category', id: category.id }, member(who)),
    ]),
  })
})

describe('further doors (RLS-3)', () => {
  it('what stays after a downgrade: a hidden thing is unknown, and stays as somebody else chose it', async () => {
    await env.DB.prepare("UPDATE subscriptions SET state = 'expired', trial_ends_at = 1 WHERE workspace_id = ?")
      .bind(at.owner.workspaceId)
      .run()
    const keep = (who: SignedIn, insights: string[]) => {
      const json = { sources: [], members: [], insights, groupings: [], forecasts: [] }
      return who.fetch('/api/subscription/keep', { method: 'PUT', json })
    }
    const chosen = async () => {
      const kept = env.DB.prepare('SELECT entity_id AS id FROM kept WHERE workspace_id = ?').bind(at.owner.workspaceId)
      return (await kept.all<{ id: string }>()).results.map(({ id }) => id)
    }
    const answers = [await keep(at.owner, [secret]), await keep(admin, [secret]), await keep(admin, [])]
    await env.DB.prepare("UPDATE subscriptions SET state = 'trial', trial_ends_at = ? WHERE workspace_id = ?")
      .bind(Date.now() + 86_400_000, at.owner.workspaceId)
      .run()
    expect([answers.map(({ status }) => status), await chosen()]).toEqual([[200, 404, 200], [secret]])
    for (const answer of answers) expect(CANARY.test(await answer.text())).toBe(false)
  })

  it('what somebody leaves behind is counted, and named to nobody', async () => {
    const answer = await admin.fetch(`/api/members/${at.owner.userId}/belongings`)
    expect([answer.status, CANARY.test(await answer.text())]).toEqual([200, false])
  })

  it('the sample company: what reads it is not named, and nobody deletes what they see in part', async () => {
    const mark = (sample: number) =>
      env.DB.prepare('UPDATE data_sources SET sample = ? WHERE id = ?').bind(sample, at.sourceId).run()
    await mark(1)
    try {
      for (const who of [admin, analyst]) {
        expect(CANARY.test(await (await who.fetch('/api/sample')).text())).toBe(false)
        for (const force of ['', '?force=1']) {
          const answer = await who.fetch(`/api/sample${force}`, { method: 'DELETE' })
          expect([answer.status, CANARY.test(await answer.text())]).toEqual([403, false])
        }
      }
      await savePolicy(at.owner, {
        rules: (await policyOf(at.owner)).filter(({ resource }) => resource.kind === 'category'),
      })
      const answer = await analyst.fetch('/api/sample', { method: 'DELETE' })
      expect([answer.status, CANARY.test(await answer.text())]).toEqual([409, false])
    } finally {
      await mark(0)
      await at.owner.fetch('/api/data-access/restore', { method: 'POST', json: { revision: 1, current: 2 } })
    }
  })

  it('suggested questions are made of what somebody sees, masked columns left out', async () => {
    const answer = await analyst.fetch('/api/starters')
    const text = await answer.text()
    expect([answer.status, CANARY.exec(text)?.[0]]).toEqual([200, undefined])
    const { items }: { items: SuggestedInsight[] } = JSON.parse(text)
    expect(items.length).toBeGreaterThan(0)
    expect(JSON.stringify(items.map(({ plan }) => plan))).not.toMatch(/"c1"|"c4"/)
  })

  it('the archive of everything is for whoever sees everything, also in somebody else’s view', async () => {
    expect((await admin.fetch(`/files/workspace/export?w=${admin.workspaceId}`)).status).toBe(403)
    const subject = member(at.owner)
    expect((await admin.fetch('/api/data-access/view-as', { method: 'POST', json: { subject } })).status).toBe(200)
    expect((await admin.fetch(`/files/workspace/export?w=${admin.workspaceId}`)).status).toBe(403)
    expect((await admin.fetch('/api/data-access/view-as', { method: 'DELETE' })).status).toBe(200)
  })

  it.each(['canary', 'cleo', 'pay'])('lists searched for “%s” find nothing hidden', async (q) => {
    const asked = ['insights?q=', 'groupings?q=', 'forecasts?q=', 'data-sources?search=']
    for (const path of asked)
      for (const who of [admin, analyst]) {
        const found = await who.fetch(`/api/${path}${q}`)
        expect([path, found.status, CANARY.exec(await found.text())?.[0]]).toEqual([path, 200, undefined])
      }
  })
})

async function policyOf(who: SignedIn): Promise<RuleInput[]> {
  const { policy } = await (await who.fetch('/api/data-access')).json<{ policy: { rules: RuleInput[] } }>()
  return policy.rules
}

describe('a load that takes years in place of others', () => {
  const HEAD = ['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"']
  const ACCOUNTS = ['#KONTO 1930 "Bank"', '#KONTO 3010 "Sales"']
  const BOOKS = [
    ...[...HEAD, '#RAR 0 20240101 20241231', ...ACCOUNTS, '#IB 0 1930 0', '#UB 0 1930 1000', '#RES 0 3010 -1000'],
    ...['#VER A 1 20240115 "Sold"', '{', '#TRANS 1930 {} 1000', '#TRANS 3010 {} -1000', '}'],
  ].join('\r\n')
  const LATER = [
    ...[...HEAD, '#RAR 0 20250101 20251231', '#RAR -1 20240101 20241231', ...ACCOUNTS],
    ...['#IB -1 1930 0', '#UB -1 1930 900', '#IB 0 1930 900', '#UB 0 1930 900', '#RES 0 3010 0'],
  ].join('\r\n')

  it('is refused to whoever sees the transactions in part: they may be of any year', async () => {
    const { owner, join } = await guardedWorkspace(app)
    const ada = await join()
    const source = await createLedger(owner, BOOKS)
    const tableOf = (name: string) => source.datasets.find((dataset) => dataset.name === name)
    const [entries, balances] = [tableOf('entries'), tableOf('balances')]
    const keyOf = (label: string, of = balances) => of?.columns.find((column) => column.label === label)?.key ?? 'c99'
    const load = async () => {
      const [table] = (await openLedger(ada, LATER)).filter(({ name }) => name === 'balances')
      if (!table) throw new Error('no balances')
      const { settings, columns } = await inspectTable(ada, table)
      return startLoad(ada, balances?.id ?? '', {
        ...{ uploadId: table.uploadId, mode: 'replacePart', settings, columns },
        mapping: columns.map(({ index, label }) => ({ index, key: keyOf(label) })),
        keyColumns: [keyOf('org_number'), keyOf('fiscal_year')],
      })
    }
    const year = { dataset: entries?.id ?? '', column: keyOf('fiscal_year', entries) }
    const some: RuleInput = {
      ...onlyRegion(year.dataset, '', member(ada)),
      filters: [{ field: year, any: [{ op: 'eq', value: '1999' }] }],
    }
    for (const rule of [some, hiding({ kind: 'dataset', id: year.dataset }, member(ada))]) {
      await savePolicy(owner, { rules: [rule] })
      expect((await load()).status).toBe(403)
    }
    await savePolicy(owner, { rules: [] })
    expect((await load()).status).toBe(201)
  })
})
