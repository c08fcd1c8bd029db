import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startDueSyncs } from './due-syncs'
import { runSync } from './run-sync'
import { LONG } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { fileSource, INSTANT_STEPS, type FileSource } from '../../../test/worker/syncs/file-source'
import { queuedMailsTo } from '../../../test/worker/mails'
import { emailOf } from '../../../test/worker/people'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import type { DurableSteps } from '../../sync/durable-steps'
import { DEAD_AFTER } from '../../sync/schedule'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What other tests left behind is not due. */
beforeEach(async () => {
  await env.DB.prepare('UPDATE connections SET paused = 1').run()
})

/** One round of the scheduler. Answers what it started. */
async function round(at: FileSource, now: number): Promise<SyncSourceParams[]> {
  const started: SyncSourceParams[] = []
  const create = ({ params }: { params: SyncSourceParams }) => Promise.resolve(void started.push(params))
  await startDueSyncs(at.deps({ now, overrides: { syncSource: { create } as never } }))
  return started
}
const stateOf = (sourceId: string) =>
  env.DB.prepare('SELECT state FROM syncs WHERE source_id = ? ORDER BY rowid DESC')
    .bind(sourceId)
    .first<string>('state')

/** Time limits of the product as it sets them, over once the test says that so much time has gone by. */
function heldDeadlines() {
  const waiting: { at: number; controller: AbortController }[] = []
  const clock = { now: 0 }
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    waiting.push({ at: clock.now + ms, controller })
    return controller.signal
  })
  return {
    clock,
    pass(ms: number): void {
      clock.now += ms
      for (const { at, controller } of waiting)
        if (at <= clock.now) controller.abort(new DOMException('', 'TimeoutError'))
    },
  }
}

describe('sources that are due in the same minute (SYN-7)', () => {
  const SOURCES = LONG ? 100 : 8
  /** Of one workspace: its plan has room for them. */
  const OF_ONE = 2
  /** The rest is there by then; one that hangs is let go of after its tries and the waits between them. */
  const [REST_MS, LET_GO_MS] = [2 * MINUTE_MS, 4 * MINUTE_MS]
  const ROWS = 30
  const fileOf = (n: number): string =>
    `id,amount\n${Array.from({ length: ROWS }, (_, row) => `${n * ROWS + row},${(n + 1) * row}`).join('\n')}\n`

  it.each(['hang', 'stall'] as const)(
    `bring all their rows and no other, while one of ${SOURCES} does nothing: %s`,
    async (fault) => {
      const sources: FileSource[] = []
      let person: SignedIn | undefined
      for (let n = 0; n < SOURCES; n += 1) {
        if (n % OF_ONE === 0) person = await signedIn()
        const at = await fileSource(person ? { person } : {})
        at.server.put('/orders.csv', fileOf(n))
        sources.push(at)
      }
      const [hanging, ...others] = sources
      if (!hanging) throw new Error('There is no source.')
      hanging.server.breakAs(fault)
      const deadlines = heldDeadlines()
      const steps: DurableSteps = { ...INSTANT_STEPS, sleep: (_name, ms) => Promise.resolve(deadlines.pass(ms)) }
      const started = await round(hanging, Date.now())
      expect(new Set(started.map(({ sourceId }) => sourceId))).toEqual(new Set(sources.map(({ sourceId }) => sourceId)))
      const begun = Date.now()
      const run = async (params: SyncSourceParams): Promise<void> => {
        const at = sources.find(({ sourceId }) => sourceId === params.sourceId)
        if (at) await runSync(at === hanging ? steps : INSTANT_STEPS, () => at.deps(), params)
      }
      const isHanging = ({ sourceId }: SyncSourceParams): boolean => sourceId === hanging.sourceId
      const waiting = Promise.all(started.filter(isHanging).map(run))
      await Promise.all(started.filter((params) => !isHanging(params)).map(run))
      expect(Date.now() - begun).toBeLessThan(REST_MS)
      // The rest needed none of the time that the one that hangs is given.
      expect([deadlines.clock.now, await stateOf(hanging.sourceId)]).toEqual([0, 'running'])
      for (const [n, at] of others.entries()) {
        const cells = fileOf(n + 1)
          .trim()
          .split('\n')
          .slice(1)
        expect(await at.table()).toEqual(cells.map((line) => `[${line}]`).toSorted())
      }
      // Nobody but the product lets go of the one that hangs.
      while ((await stateOf(hanging.sourceId)) === 'running' && deadlines.clock.now < LET_GO_MS) deadlines.pass(5_000)
      await waiting
      expect(await stateOf(hanging.sourceId)).toBe('failed')
      expect(await hanging.connection()).toMatchObject({ failures: 1, failure: { reason: 'timeout' } })
      expect(await hanging.table()).toBeNull()
      vi.restoreAllMocks()
      hanging.server.breakAs(null)
      await hanging.run(await hanging.started('well again'))
      expect(await hanging.table()).toHaveLength(ROWS)
    },
  )
})

describe('a source that always fails (SYN-6)', () => {
  /** Minutes to the next try after the first, second and each further failure, before what spreads them. */
  const WAITS = [5, 30, ...Array.from({ length: DEAD_AFTER - 3 }, () => 120)]
  const SPREAD_MINUTES = 10
  /** A bucket that takes nothing: what nobody foresaw. */
  const refusing = new Proxy(env.FILES, {
    get: (target, name) =>
      name === 'get' || name === 'head' ? Reflect.get(target, name) : () => Promise.reject(new TypeError('broken')),
  })

  it.each([
    { why: 'by its server', reason: 'down', overrides: {} },
    { why: 'by a fault that nobody foresaw', reason: 'internal', overrides: { files: refusing } },
  ])('is tried less and less, told of once, left after ten times, and comes back: $why', async (given) => {
    const { reason, overrides } = given
    const at = await fileSource()
    const well = await fileSource({ person: at.person, frequencyHours: 6 })
    if (reason === 'down') at.server.breakAs('down')
    const clock = { now: Date.now() }
    const goOn = async (): Promise<void> => {
      for (const params of await round(at, clock.now)) {
        const isPoison = params.sourceId === at.sourceId
        const deps = isPoison ? at.deps({ now: clock.now, overrides }) : well.deps({ now: clock.now })
        await runSync(INSTANT_STEPS, () => deps, params)
      }
    }
    const waits: number[] = []
    for (let failures = 1; failures <= DEAD_AFTER; failures += 1) {
      await goOn()
      const row = await at.connection()
      expect([failures, row.failures, row.failure?.reason]).toEqual([failures, failures, reason])
      if (row.nextAt === null) break
      waits.push((row.nextAt - clock.now) / MINUTE_MS)
      clock.now = row.nextAt
    }
    expect(waits).toHaveLength(WAITS.length)
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(WAITS[n] ?? 0)
      expect(wait).toBeLessThanOrEqual((WAITS[n] ?? 0) + SPREAD_MINUTES)
    }
    for (let hour = 0; hour < 24; hour += 1) {
      clock.now += HOUR_MS
      await goOn()
    }
    expect(await at.connection()).toMatchObject({ failures: DEAD_AFTER, nextAt: null })
    const letters = await env.DB.prepare('SELECT failures, error FROM sync_dead_letters WHERE source_id = ?')
      .bind(at.sourceId)
      .all<{ failures: number; error: string }>()
    expect(letters.results).toMatchObject([
      { failures: DEAD_AFTER, error: expect.stringContaining(`"reason":"${reason}"`) },
    ])
    const mails = await queuedMailsTo(await emailOf(at.person.userId))
    expect(mails.map(({ template }) => template)).toEqual(['sourceFailed'])
    // The other one was read whenever it was due, and never failed.
    const beside = env.DB.prepare(
      'SELECT state, count(*) AS n FROM syncs WHERE source_id = ? GROUP BY state ORDER BY state',
    )
    const { results } = await beside.bind(well.sourceId).all<{ state: string; n: number }>()
    expect(results).toEqual([
      { state: 'succeeded', n: 1 },
      { state: 'unchanged', n: expect.toSatisfy((n: number) => n >= 4) },
    ])
    at.server.breakAs(null)
    await at.run(await at.started('mended'))
    expect(await at.connection()).toMatchObject({ failures: 0, failure: null, nextAt: expect.any(Number) })
    expect(await at.table()).toHaveLength(3)
  })
})
