import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { amountColumn, dayColumn, createLoadedSource, textColumn } from '../../../test/worker/loads'
import type { FileColumn } from '../../shared/data-sources/files'
import type { Insight, SuggestedInsight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'
import type { QueryResult } from '../../shared/query/result'

const rows = Array.from({ length: 240 }, (_, n) => {
  const day = new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10)
  return `${day},Customer ${n % 9},${['North', 'South'][n % 2]},${100 + n}`
})
const columns = [dayColumn(0), textColumn(1, 'customer'), textColumn(2, 'region'), amountColumn(3)]
const orders = (me: SignedIn) => {
  const [name, ...table] = ['Orders', 'day,customer,region,amount', ...rows]
  return createLoadedSource(me, table.join('\n'), { name, columns })
}
const suggested = async (me: SignedIn): Promise<SuggestedInsight[]> => {
  const answer = await me.fetch('/api/starters')
  expect(answer.status).toBe(200)
  return (await answer.json<ListPage<SuggestedInsight>>()).items
}
const keep = (me: SignedIn, key: string): Promise<Response> =>
  me.fetch('/api/starters', { method: 'POST', json: { key } })

describe('suggested insights', () => {
  it('are none without data', async () => {
    expect(await suggested(await signedIn())).toEqual([])
  })

  it('are questions that the data answers, and count against nothing when they are kept', async () => {
    const me = await signedIn({
      subscription: { state: 'active', planId: 'personal', override: { customInsights: 0 } },
    })
    await orders(me)
    const items = await suggested(me)
    expect(items.map(({ name }) => name)).toEqual([
      'amount by month',
      'Top customer by amount',
      'amount by month and region',
      'Count of Orders by month',
    ])
    for (const { plan } of items) {
      const answer = await me.fetch('/api/query', { method: 'POST', json: { plan } })
      expect((await answer.json<QueryResult>()).rows.length).toBeGreaterThan(1)
    }
    const kept = await keep(me, items[0]?.key ?? '')
    expect([kept.status, (await kept.json<Insight>()).origin]).toEqual([201, 'starter'])
    expect((await suggested(me)).map(({ key }) => key)).toEqual(items.slice(1).map(({ key }) => key))
    expect((await keep(me, items[0]?.key ?? '')).status).toBe(404)
  })

  it('tell things by their names, once, where their numbers stand beside them: two of one name are two', async () => {
    const me = await signedIn()
    const named = Array.from(
      { length: 240 },
      (_, n) => `${2020 + (n % 3)}-05-0${(n % 9) + 1},K${n % 9},Kund ${n % 8},${100 + n}`,
    )
    await createLoadedSource(me, ['day,Kundnr,Kund,amount', ...named].join('\n'), {
      name: 'Fakturor',
      columns: [dayColumn(0), textColumn(1, 'Kundnr'), textColumn(2, 'Kund'), amountColumn(3)],
    })
    const items = await suggested(me)
    const top = items.filter(({ name }) => name.startsWith('Top '))
    expect(top.map(({ name }) => name)).toEqual(['Top Kund by amount'])
    const answer = await me.fetch('/api/query', { method: 'POST', json: { plan: top[0]?.plan } })
    expect((await answer.json<QueryResult>()).rows.length, 'K0 and K8 are both called Kund 0').toBe(9)
  })

  it('are in the currency of the workspace where rows are in several, and of what needs none where it does not convert', async () => {
    const priced = rows.map((row, n) => `${row},${['SEK', 'EUR', 'GBP'][n % 3]}`)
    const money: FileColumn[] = [...columns.slice(0, 3), { ...amountColumn(3), currencyIndex: 4 }]
    const load = (me: SignedIn) =>
      createLoadedSource(me, ['day,customer,region,amount,currency', ...priced].join('\n'), {
        name: 'Orders',
        columns: [...money, { ...textColumn(4, 'currency'), role: 'currency' }],
      })
    const me = await signedIn()
    await load(me)
    const items = await suggested(me)
    expect(items.map(({ name }) => name)).toContain('amount by month')
    for (const { plan } of items) {
      const answer = await me.fetch('/api/query', { method: 'POST', json: { plan } })
      expect(answer.status, JSON.stringify(plan)).toBe(200)
    }
    const currencies = items.map(({ name, plan }) => [name.startsWith('Count'), plan.currency?.code])
    expect(currencies.every(([isCount, code]) => code === (isCount ? undefined : 'SEK'))).toBe(true)
    const set =
      "UPDATE subscriptions SET state = 'active', plan_id = 'standard', trial_ends_at = NULL WHERE workspace_id = ?"
    await env.DB.prepare(set).bind(me.workspaceId).run()
    expect((await suggested(me)).map(({ name }) => name)).toEqual(['Count of Orders by month'])
  })

  it('are only ever ours: a key of no suggestion, or of another workspace’s data, keeps nothing', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    await orders(other)
    const [foreign] = await suggested(other)
    for (const key of ['ds_0.trend', foreign?.key ?? '']) expect((await keep(me, key)).status).toBe(404)
  })
})
