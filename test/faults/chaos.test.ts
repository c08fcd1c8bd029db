import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'
import { seedOf } from '../seed.ts'
import { createSeededRandom } from '../../src/sample/random.ts'
import type { Forecast } from '../../src/shared/forecasts/forecasts.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { CreateLoadInput, SyncRun } from '../../src/shared/data-sources/data-sources.ts'

const LONG = process.env['LONG'] === '1'
const KILLS = Number(process.env['HARDENING_COUNT']) || (LONG ? 200 : 10)
const SEED = seedOf(LONG)
const EMAIL = 'chaos@example.com'
/** A kill comes at most this long after the work began. */
const WORK_MS = 1_200
/** What was cut off is taken up within two minutes, what was cut off twice within five. */
const SETTLED_MS = 300_000
const ROUND_MS = 3_000
const ROWS = 30_000
const OPEN: ReadonlySet<string> = new Set(['queued', 'running'])
/** How often is asked for what is limited by the hour. */
const EXPORT_EVERY = 25
const CHECKOUT_EVERY = 4
/** Every so often the whole server is killed; else the runtime, which is back sooner. */
const WHOLE_EVERY = 5
/** Insights that are made before each kill, if there is time. */
const SAVES = 6

/** Five years of days, one amount: every table of the test is told by its sum. */
function table(amount: number): Blob {
  const lines = ['day,amount']
  for (let n = 0; n < ROWS; n++)
    lines.push(`20${21 + (n % 5)}-${String((n % 12) + 1).padStart(2, '0')}-15,${amount}.25`)
  return new Blob([lines.join('\n')])
}
const sumOf = (amount: number): number => ROWS * (amount + 0.25)

const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

/** What stays the same over all kills: one table, one insight that is renamed, one forecast that is run. */
interface Subject {
  source: string
  dataset: string
  insight: string
  forecast: string
  load: Omit<CreateLoadInput, 'uploadId'>
}

/** What was asked for before a kill, and what of it was acknowledged. */
interface Round {
  /** Names of new insights by the key under which they were asked for. */
  asked: Map<string, string>
  acknowledged: Set<string>
  /** The name that the kept insight was last known to have, and the one it was being given. */
  named: string
  naming: string
}

const planOf = (dataset: string): QueryPlanInput => ({
  v: 1,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
  dimensions: [{ field: { dataset, column: 'c0' }, grain: 'month' }],
  filters: [],
})

async function furnish(person: Person): Promise<Subject> {
  const uploadId = await person.upload('days.csv', table(1))
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({ name: 'Days', tables: [{ name: 'Days', uploadId, settings, columns }] })
  expect((await person.finished(source.lastRun?.id ?? '')).state).toBe('succeeded')
  const dataset = source.datasets[0]?.id ?? ''
  const body = { name: 'Kept', plan: planOf(dataset), viz: { chart: 'line' } }
  const insight = await person.call<Insight>('POST', '/api/insights', body)
  const subject = { kind: 'insight', id: insight.id, measure: 0 }
  const forecast = await person.call<Forecast>('POST', '/api/forecasts', { name: 'Ahead', subject })
  const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
  const load = { mode: 'replace' as const, settings, columns, mapping }
  return { source: source.id, dataset, insight: insight.id, forecast: forecast.id, load }
}

/** Everything at once, until the server is gone. */
async function work(person: Person, subject: Subject, round: Round, at: { kill: number; next: number }): Promise<void> {
  const { kill, next } = at
  const checkout = { planId: 'standard', interval: 'monthly', addOns: [], method: 'card' }
  await Promise.allSettled([
    load(person, subject, next),
    saveInsights(person, subject, round),
    rename(person, subject, round),
    // What is killed twice waits longer before it is taken up again: the last ones are for the other kinds of work.
    ...(kill < KILLS / 2 ? [person.call('POST', `/api/forecasts/${subject.forecast}/run`)] : []),
    ...(kill % CHECKOUT_EVERY === 0 ? [person.call('POST', '/api/stripe/checkout', checkout)] : []),
    ...(kill % EXPORT_EVERY === 0 ? [read(person, '/files/workspace/export')] : []),
    read(person, `/files/insights/${subject.insight}/export`),
  ])
}

const read = (person: Person, path: string): Promise<unknown> =>
  person.send('GET', path).then((answer) => answer.arrayBuffer())

async function load(person: Person, { source, dataset, load: settings }: Subject, amount: number): Promise<void> {
  if (await isLoading(person, source)) return
  const uploadId = await person.upload('days.csv', table(amount))
  await person.load(dataset, { ...settings, uploadId })
}
async function isLoading(person: Person, source: string): Promise<boolean> {
  const { items } = await person.call<{ items: SyncRun[] }>('GET', `/api/data-sources/${source}/runs`)
  return items.some((run) => OPEN.has(run.state))
}

async function saveInsights(person: Person, { dataset }: Subject, round: Round): Promise<void> {
  for (let nth = 0; nth < SAVES; nth++) {
    const key = randomUUID()
    round.asked.set(key, `Saved ${key}`)
    if ((await save(person, dataset, key, round)) === 201) round.acknowledged.add(key)
  }
}
async function save(person: Person, dataset: string, key: string, round: Round): Promise<number> {
  const body = JSON.stringify({ name: round.asked.get(key), plan: planOf(dataset), viz: { chart: 'line' } })
  const headers = { ...person.headers(), 'idempotency-key': key }
  return (await fetch(`${person.address}/api/insights`, { method: 'POST', headers, body })).status
}

async function rename(person: Person, { insight }: Subject, round: Round): Promise<void> {
  for (let nth = 0; nth < SAVES; nth++) {
    const { id: _id, ...kept } = await person.call<Insight>('GET', `/api/insights/${insight}`)
    round.naming = `Kept ${randomUUID()}`
    const { plan, viz, version } = kept
    await person.call('PUT', `/api/insights/${insight}`, { name: round.naming, plan, viz, version })
    round.named = round.naming
  }
}

/** After a kill: the old name or the new one, and every insight that was acknowledged, once. They are gone again afterwards. */
async function lookAtInsights(person: Person, { dataset, insight }: Subject, round: Round): Promise<void> {
  const { name } = await person.call<Insight>('GET', `/api/insights/${insight}`)
  expect([round.named, round.naming]).toContain(name)
  // Asked again under its key: what had come through answers as before, the rest is made now.
  for (const key of round.asked.keys())
    if (!round.acknowledged.has(key)) expect(await save(person, dataset, key, round)).toBe(201)
  const { items } = await person.call<{ items: Insight[] }>('GET', '/api/insights?limit=100')
  expect(items.map((one) => one.name).toSorted()).toEqual([name, ...round.asked.values()].toSorted())
  for (const one of items)
    if (one.id !== insight) await person.call('DELETE', `/api/insights/${one.id}?version=${one.version}`)
  round.asked.clear()
  round.acknowledged.clear()
  round.named = name
  round.naming = name
}

async function shownAmount(person: Person, dataset: string): Promise<number> {
  const { rows } = await person.query({ ...planOf(dataset), dimensions: [] })
  return [1, 2].find((amount) => sumOf(amount) === Number(rows[0]?.[0])) ?? Number.NaN
}

/** Loads and forecasts that were cut off have been taken up or given up, and everything can be asked for again. */
async function untilSettled(person: Person, { source, forecast, dataset, load: settings }: Subject): Promise<void> {
  const deadline = Date.now() + SETTLED_MS
  for (;;) {
    const { state: run } = await person.call<Forecast>('GET', `/api/forecasts/${forecast}`)
    const isOpen = (await isLoading(person, source)) || OPEN.has(run)
    if (!isOpen) break
    if (Date.now() > deadline) throw new Error(`still open after five minutes: the forecast is ${run}`)
    // The round of every minute, which comes at any moment.
    await fetch(`${person.address}/cdn-cgi/local/scheduled`)
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
  const uploadId = await person.upload('days.csv', table(2))
  const run = await person.load(dataset, { ...settings, uploadId })
  expect(['succeeded', 'unchanged']).toContain((await person.finished(run.id)).state)
  expect(await shownAmount(person, dataset)).toBe(2)
  const checkout = { planId: 'standard', interval: 'monthly', addOns: [], method: 'card' }
  expect(await person.call('POST', '/api/stripe/checkout', checkout)).toHaveProperty('url')
  expect((await person.send('GET', '/files/workspace/export')).status).toBe(200)
}

async function startedAs(server: RunningServer): Promise<Person> {
  const person = new Person(server.address)
  await person.signIn(EMAIL)
  return person
}

it(
  `keeps what it acknowledged, shows nothing half, and leaves nothing open, after ${KILLS} kills of the process (npm run chaos)`,
  { timeout: 60_000 + KILLS * 30_000 },
  async () => {
    console.info(`chaos: ${KILLS} kills, seed ${SEED}`)
    const dice = createSeededRandom(SEED)
    let server = await startServer(state.path)
    let person = new Person(server.address)
    await person.register(EMAIL)
    const subject = await furnish(person)
    const round: Round = { asked: new Map(), acknowledged: new Set(), named: 'Kept', naming: 'Kept' }
    let shown = 1
    for (let kill = 0; kill < KILLS; kill++) {
      const working = work(person, subject, round, { kill, next: shown === 1 ? 2 : 1 })
      await new Promise((resolve) => setTimeout(resolve, dice.unit() * WORK_MS))
      if (kill % WHOLE_EVERY === 0) {
        await server.kill()
        await working
        server = await startServer(state.path)
        person = await startedAs(server)
      } else {
        await server.killRuntime()
        await working
      }
      shown = await shownAmount(person, subject.dataset)
      expect(shown).not.toBeNaN()
      await lookAtInsights(person, subject, round)
    }
    await untilSettled(person, subject)
    await server.stop()
  },
)
