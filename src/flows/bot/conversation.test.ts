import { beforeAll, expect, it } from 'vitest'
import { askBotAs, eventsOf, newConversation } from '../../../test/worker/bot/ask-bot'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import { otherWorkspace, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { BotConversation, BotConversationDetail, BotSuggestions } from '../../shared/bot/conversations'
import type { ListPage } from '../../shared/field-schemas'
import type { VerifiedAnswer } from '../../shared/bot/knowledge'

let at: GuardedWorkspace
let north: SignedIn
let colleague: SignedIn
beforeAll(async () => {
  at = await guardedWorkspace(createApp())
  north = await at.join('analyst')
  colleague = await at.join('viewer')
  await savePolicy(at.owner, {
    rules: [
      {
        ...onlyRegion(at.datasetId, 'North', { kind: 'member', id: north.userId }),
        columns: [{ key: 'c4', grant: 'hide' }],
      },
    ],
  })
})
const detail = async (me: SignedIn, id: string, path = 'conversations'): Promise<BotConversationDetail> =>
  (await me.fetch(`/api/bot/${path}/${id}`)).json()
const totalOf = ({ figures }: Awaited<ReturnType<typeof askBotAs>>) => figures?.result.rows[0]?.[0]

it('answers in a stream: that it reads, how it understood, and the figures with a sentence', async () => {
  const { id } = await newConversation(at.owner)
  const json = { kind: 'text', text: 'total pay' }
  const answer = await at.owner.fetch(`/api/bot/conversations/${id}/messages`, { method: 'POST', json })
  const events = await eventsOf(answer)
  expect(events.map(({ event }) => event)).toEqual(['reading', 'understood', 'answer'])
  const kept = await detail(at.owner, id)
  expect([kept.title, kept.items.map(({ question, engine }) => [question, engine])]).toEqual([
    'total pay',
    [['total pay', 'rules']],
  ])
  expect(JSON.stringify(kept)).not.toContain('111411')
})

it('answers two persons by their own rows, and knows no value that only hidden rows have', async () => {
  expect(totalOf(await askBotAs(at.owner, 'total pay'))).toBe(111411.85)
  expect(totalOf(await askBotAs(north, 'total pay'))).toBe(300.75)
  const whole = await askBotAs(at.owner, 'total pay for Cleo Canary')
  expect(totalOf(whole)).toBe(98765.43)
  const hidden = await askBotAs(north, 'total pay for Cleo Canray')
  expect(totalOf(hidden)).not.toBe(98765.43)
  expect(JSON.stringify(hidden)).not.toMatch(/canary/i)
})

it('goes on from the answer before, and changes its plan by a chip', async () => {
  const { id } = await newConversation(at.owner)
  await askBotAs(at.owner, 'total pay', id)
  const split = await askBotAs(at.owner, 'by region', id)
  expect(split.figures?.result.rows.map(([region]) => region).toSorted()).toEqual(['North', 'South'])
  const reply = split.message.reply
  if (reply?.kind !== 'answer') throw new Error('It was no answer.')
  const plan = { ...reply.plan, dimensions: [] }
  const changed = await askBotAs(at.owner, { kind: 'plan', message: split.message.id, plan }, id)
  expect([totalOf(changed), changed.message.asked]).toEqual([111411.85, 'plan'])
})

it('keeps conversations to their person, and shares a copy by the rights of who reads it', async () => {
  const { id } = await newConversation(at.owner)
  await askBotAs(at.owner, 'total pay for Cleo Canray', id)
  const mine = await detail(at.owner, id)
  for (const path of ['conversations', 'shared'])
    expect((await colleague.fetch(`/api/bot/${path}/${id}`)).status).toBe(404)
  const shared = await at.owner.fetch(`/api/bot/conversations/${id}/share`, {
    method: 'POST',
    json: { version: mine.version },
  })
  expect(shared.status).toBe(200)
  const own = await shared.json<BotConversation>()
  await askBotAs(at.owner, 'total pay for Dan Canary', id)
  const seen = await detail(colleague, id, 'shared')
  expect([seen.mine, seen.messages, seen.items[0]?.reply?.kind]).toEqual([false, 1, 'answer'])
  const limited = await detail(north, id, 'shared')
  const [first] = limited.items
  expect(first?.question).toBe('total pay for Cleo Canray')
  expect(JSON.stringify(limited)).not.toMatch(/canary/i)
  const json = { kind: 'text', text: 'total pay' }
  expect((await colleague.fetch(`/api/bot/conversations/${id}/messages`, { method: 'POST', json })).status).toBe(404)
  const ended = await at.owner.fetch(`/api/bot/conversations/${id}/share?version=${own.version}`, { method: 'DELETE' })
  expect([ended.status, (await colleague.fetch(`/api/bot/shared/${id}`)).status]).toEqual([200, 404])
})

it('renames, archives, finds and deletes conversations', async () => {
  const { id } = await newConversation(colleague)
  await askBotAs(colleague, 'total pay', id)
  const put = (json: unknown) => colleague.fetch(`/api/bot/conversations/${id}`, { method: 'PUT', json })
  expect((await put({ title: 'Pay of all', archived: true, version: 1 })).status).toBe(200)
  expect((await put({ title: 'Again', archived: true, version: 1 })).status).toBe(409)
  const list = async (search: string) =>
    (await (await colleague.fetch(`/api/bot/conversations?${search}`)).json<ListPage<BotConversation>>()).items.length
  expect([await list(''), await list('archived=1&q=pay'), await list('archived=1&q=none')]).toEqual([0, 1, 0])
  expect((await colleague.fetch(`/api/bot/conversations/${id}?version=2`, { method: 'DELETE' })).status).toBe(200)
  expect((await colleague.fetch(`/api/bot/conversations/${id}`)).status).toBe(404)
})

it('answers a verified wording by its plan, and says when a metric or column changed since', async () => {
  const { owner } = at
  const answered = await askBotAs(owner, 'total pay by region')
  const verify = (me: SignedIn, id: string) =>
    me.fetch(`/api/bot/messages/${id}/verify`, { method: 'POST', json: { question: 'how do the regions do' } })
  expect((await verify(north, answered.message.id)).status).toBe(403)
  expect((await verify(owner, answered.message.id)).status).toBe(201)
  expect((await verify(owner, answered.message.id)).status).toBe(409)
  const again = await askBotAs(colleague, 'How do the regions do?')
  expect([again.message.engine, again.figures?.result.rows.length]).toEqual(['verified', 2])
  const dataset = await (
    await owner.fetch(`/api/datasets/${at.datasetId}`)
  ).json<{ version: number; columns: Record<string, unknown>[]; name: string }>()
  const columns = dataset.columns.map(({ key, label, role, format, hidden }) => ({
    ...{ key, role, format, hidden, label: key === 'c3' ? 'area' : label },
  }))
  const renamed = await owner.fetch(`/api/datasets/${at.datasetId}`, {
    method: 'PUT',
    json: { name: dataset.name, version: dataset.version, columns },
  })
  expect(renamed.status).toBe(200)
  const { items } = await (await owner.fetch('/api/bot/verified-answers')).json<ListPage<VerifiedAnswer>>()
  expect(items.map(({ stale }) => stale)).toEqual([true])
})

it('takes terms of the workspace, reports of wrong answers, and offers questions that it can answer', async () => {
  const { owner } = at
  const term = { term: 'wages', means: 'pay' }
  expect((await colleague.fetch('/api/bot/glossary', { method: 'POST', json: term })).status).toBe(403)
  expect((await owner.fetch('/api/bot/glossary', { method: 'POST', json: term })).status).toBe(201)
  expect(
    (await owner.fetch('/api/bot/glossary', { method: 'POST', json: { term: 'WAGES', means: 'pay' } })).status,
  ).toBe(409)
  const { message } = await askBotAs(colleague, 'total pay')
  const json = { kind: 'wrongFigures', reason: 'Too high' }
  const path = `/api/bot/messages/${message.id}/feedback`
  expect((await owner.fetch(path, { method: 'POST', json })).status).toBe(404)
  expect((await colleague.fetch(path, { method: 'POST', json })).status).toBe(200)
  expect(await (await owner.fetch('/api/bot/feedback')).json()).toMatchObject({ items: [{ reason: 'Too high' }] })
  const offered = await (await colleague.fetch('/api/bot/suggestions')).json<BotSuggestions>()
  expect([offered.hasData, offered.items.length > 0]).toEqual([true, true])
})

it('is unknown to another workspace', async () => {
  const { id } = await newConversation(at.owner)
  const other = await otherWorkspace()
  expect((await other.fetch(`/api/bot/conversations/${id}`)).status).toBe(404)
  const json = { kind: 'text', text: 'total pay' }
  expect((await other.fetch(`/api/bot/conversations/${id}/messages`, { method: 'POST', json })).status).toBe(404)
})
