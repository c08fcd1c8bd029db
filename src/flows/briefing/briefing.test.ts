import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { VISIT_GAP_MS } from '../../features/briefing/store'
import { formatFindingSentence } from '../../mail/format-figures'
import type { Briefing, BriefingStory } from '../../shared/briefing/briefing'
import { isFactKind } from '../../shared/findings'
import type { MarkedStory } from './read-briefing'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { StorageValue } from '../../lib/storage-value'

const DAY_MS = 86_400_000
let now = Date.parse('2026-10-20T08:00:00Z')
const app = createApp({ clock: { now: () => now }, onOutbox: () => undefined })

const COLUMNS = [
  column(0, { type: 'date', role: 'time', label: 'Order date' }),
  column(1, { type: 'text', label: 'Region' }),
  column(2, { type: 'number', scale: 2, role: 'measure', label: 'Sales' }),
  column(3, { type: 'number', scale: 2, role: 'measure', label: 'Profit' }),
]
const REGIONS = ['North', 'South', 'East', 'West'] as const

/** Three years of four regions up to the end of 2022. In the last quarter East earns less than nothing, and South a little less. */
const rows = (months = 36): StorageValue[][] =>
  Array.from({ length: months }, (_, n) => n + 36 - months).flatMap((month) =>
    [4, 12, 20, 30].flatMap((date) =>
      REGIONS.map((region, at): StorageValue[] => {
        const day = Date.UTC(2020, month, Math.min(date, month % 12 === 1 ? 27 : 30)) / DAY_MS
        const noise = (Math.sin(month * 12.9898 + date * 78.233 + at * 37.719) * 43_758.5453) % 1
        const sales = 10_000 + 900 * noise
        const isTurned = month >= 33 && (region === 'East' || region === 'South')
        const margin = isTurned ? (region === 'East' ? -0.15 : -0.06) : 0.2 + 0.02 * noise
        return [day, region, Math.round(sales * 100), Math.round(sales * margin * 100)]
      }),
    ),
  )

const read = async (who: SignedIn, query = ''): Promise<Briefing> => {
  const answer = await who.fetch(`/api/pilot/briefing${query}`)
  expect(answer.status).toBe(200)
  return answer.json<Briefing>()
}
const mark = async (who: SignedIn, id: string, json: object) =>
  (await who.fetch(`/api/pilot/briefing/${id}`, { method: 'PUT', json })).json<MarkedStory & { code: string }>()
const said = ({ finding }: BriefingStory): string => formatFindingSentence(finding, { numberLocale: 'en-GB' })
const first = ({ stories: [story] }: Briefing): BriefingStory => {
  if (!story) throw new Error('there is a story')
  return story
}

describe('the briefing after a file was loaded', () => {
  let me: SignedIn
  let told: Briefing
  beforeAll(async () => {
    me = await signedIn({ app, timeZone: 'UTC' })
    await loadedDataset(me.workspaceId, rows(), COLUMNS)
    await me.fetch('/api/findings/refresh', { method: 'POST', json: {} })
    told = await read(me)
  })

  it('tells the biggest loss first, with the age of the data, and the other one beside it', () => {
    expect(said(first(told))).toMatch(/^Profit for East turned to a loss: -17,877 in Oct–Dec 2022/)
    expect(told.stories.slice(0, 3).map(said).join('\n')).toMatch(/Profit for South turned to a loss/)
    expect(first(told)).toMatchObject({ dataTo: '2022-12-30', state: 'new' })
    expect(told).toMatchObject({ since: null, basis: 'tested', dataTo: '2022-12-30', alerts: [], waiting: [] })
    expect(told.summary.slice(0, 2)).toEqual([
      { text: expect.stringMatching(/^\d+ findings? in your data\.$/) },
      { story: 0 },
    ])
  })

  it('tells one happening once: no two stories are of the same figure, part and period', () => {
    const happened = told.stories.filter(({ finding: { kind } }) => !isFactKind(kind))
    const names = happened.map(({ finding: { subject, member, period } }) =>
      JSON.stringify([subject, member, period.to]),
    )
    expect(new Set(names).size).toBe(names.length)
    const season = told.stories.findIndex(({ finding: { kind } }) => kind === 'season')
    const loss = told.stories.findLastIndex(({ finding: { kind } }) => kind === 'turned' || kind === 'loss')
    expect(season === -1 || season > loss).toBe(true)
  })

  it('stays a visit for half an hour; then what was there is no longer new', async () => {
    now += VISIT_GAP_MS - 60_000
    expect((await read(me)).since).toBe(null)
    const seen = now
    now += VISIT_GAP_MS
    const later = await read(me)
    expect([later.since, later.counts.new, later.counts.unread]).toEqual([
      ...[new Date(seen).toISOString(), 0, told.counts.new],
    ])
    expect(later.summary[0]).toEqual({ text: 'No changes since your last visit.' })
    now += 60_000
    expect((await read(me)).since).toBe(later.since)
  })

  it('keeps what is read and put off by one person from that one alone', async () => {
    const other = await signedIn({ app, workspaceId: me.workspaceId, role: 'viewer' })
    const [lead, second] = (await read(me)).stories
    if (!lead || !second) throw new Error('there are two')
    expect(await mark(me, lead.finding.id, { read: true })).toMatchObject({ state: 'read' })
    expect(await mark(me, second.finding.id, { snoozeDays: 7 })).toMatchObject({
      ...{ state: 'snoozed', snoozedUntil: new Date(now + 7 * DAY_MS).toISOString() },
    })
    const open = (await read(me)).stories.map(({ finding }) => finding.id)
    expect(open).not.toContain(lead.finding.id)
    expect(open).not.toContain(second.finding.id)
    expect((await read(me, '?state=read')).stories.map(({ finding }) => finding.id)).toEqual([lead.finding.id])
    expect((await read(me, '?state=snoozed')).counts).toMatchObject({ read: 1, snoozed: 1 })
    expect((await read(other)).counts).toMatchObject({ read: 0, snoozed: 0 })
    now += 8 * DAY_MS
    expect((await read(me)).stories.map(({ finding }) => finding.id)).toContain(second.finding.id)
    await mark(me, lead.finding.id, { read: false })
    expect((await read(me, '?state=read')).total).toBe(0)
  })

  it('remembers what kinds somebody wants less of, until they say otherwise', async () => {
    const { finding } = first(await read(me))
    expect(await mark(me, finding.id, { lessOfKind: true })).toMatchObject({ lessOfKind: true })
    expect((await read(me, `?kind=${finding.kind}`)).stories.every(({ lessOfKind }) => lessOfKind)).toBe(true)
    expect(await mark(me, finding.id, { lessOfKind: false })).toMatchObject({ lessOfKind: false })
    expect(first(await read(me))).toMatchObject({ lessOfKind: false, finding: { id: finding.id } })
  })

  it('is filtered by kind, and shows a few of all', async () => {
    const some = await read(me, '?limit=1&kind=turned&state=all')
    expect([some.stories.length, some.total >= 1, first(some).finding.kind]).toEqual([1, true, 'turned'])
    expect((await me.fetch('/api/pilot/briefing?state=other')).status).toBe(422)
  })

  it('is as sure a month later as it was, when it is looked at again without new rows', async () => {
    const sure = async () =>
      (await read(me, '?state=all')).stories
        .map(({ finding: { id, confidence } }) => [id, confidence])
        .toSorted(([a = ''], [b = '']) => String(a).localeCompare(String(b)))
    const before = await sure()
    now += 30 * DAY_MS
    expect((await me.fetch('/api/findings/refresh', { method: 'POST', json: {} })).status).toBe(200)
    expect(await sure()).toEqual(before)
  })

  it('does not exist for strangers, and marks nothing of theirs', async () => {
    const stranger = await otherWorkspace(app)
    const id = first(await read(me, '?state=all')).finding.id
    expect((await read(stranger)).stories).toEqual([])
    expect((await mark(stranger, id, { read: true })).code).toBe('not_found')
    expect((await mark(me, id, {})).code).toBe('invalid_input')
  })
})

describe('a briefing without findings', () => {
  it('says that there is too little history where nothing could be tested, and nothing where there is no data', async () => {
    const me = await signedIn({ app, timeZone: 'UTC' })
    expect(await read(me)).toMatchObject({ basis: 'none', stories: [], summary: [], dataTo: null })
    await loadedDataset(me.workspaceId, rows(1).slice(0, 8), COLUMNS)
    await me.fetch('/api/findings/refresh', { method: 'POST', json: {} })
    expect(await read(me)).toMatchObject({ basis: 'tooLittle', summary: [{ text: 'Too little history to judge.' }] })
  })
})

describe('what stands beside the findings', () => {
  it('names who mentions the person, invitations of a proven address, and features they waited for', async () => {
    now = Date.parse('2026-11-05T08:00:00Z')
    const [me, host] = [await signedIn({ app }), await signedIn({ app })]
    const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(me.userId).first<string>('email')
    await host.fetch('/api/invites', { method: 'POST', json: { emails: [email], role: 'viewer' } })
    await env.DB.prepare(
      `INSERT INTO pilot_enrolments (workspace_id, feature, user_id, state, actor_id, updated_at)
       VALUES (?1, 'voice', ?2, 'interested', ?2, 1)`,
    )
      .bind(me.workspaceId, me.userId)
      .run()
    const kinds = (await read(me)).waiting.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['earlyAccess', 'invitation'])
  })
})
