import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { CLOSED_DOORS } from '../../../test/worker/connectors/doors'
import { SourceSlots } from '../live-tables/source-slots'
import { QueryDesk } from './query-desk'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import { warehouseClientFactory } from '../stub'
import { Scope, type ScopeWire } from '../../scope'
import { unwrap } from '../../shared/errors'
import { DATASET_MAX_ROWS } from '../../shared/limits'
import type { Calendar } from '../../shared/dates'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import { groupingViewSteps } from '../groupings/grouping-maps'
import { queryCatalogue } from '../query-catalogue'
import { rowsWritten } from '../context'
import { clearResultCache } from '../query/result-cache'
import { queryInSteps } from '../query/run-query'
import { columnSources } from '../segments/stored-columns'
import type { QuerySteps } from './query-scheduler'
import type { QueryRequest } from '../query/request'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }
const COLUMNS = [column(0), column(1, 'number:2'), column(2, 'number:2')]
const ROWS = Array.from({ length: 300 }, (_, n) => [`Customer ${n % 40}`, n * 7, (n * 13) % 101])

async function scene() {
  const driver = warehouse()
  const { datasetId } = await driver.load({ columns: COLUMNS, rows: ROWS })
  const median = (key: 'c1' | 'c2'): Measure => ({
    ...{ kind: 'column', agg: 'median', field: { dataset: datasetId, column: key } },
  })
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset: datasetId, filters: [], totals: true },
    measures: [median('c1'), median('c2')],
    dimensions: [{ field: { dataset: datasetId, column: 'c0' } }],
  }
  const person: ScopeWire = { ...driver.scope, client: 'app' }
  const ask = (more: { ticket?: string } = {}, who = person) =>
    driver.stub().query(who, { plan, calendar: CALENDAR, ...more })
  return { ...driver, datasetId, plan, person, ask }
}

const NOWHERE = {
  ...{ randomToken: () => '', convert: () => undefined },
  ...{ doors: () => CLOSED_DOORS, slots: new SourceSlots() },
}

describe('an answer in pieces', () => {
  it('is of one version of the rows when they change between two pieces', async () => {
    const { inside, stub, person, load, datasetId } = await scene()
    // Records are read column by column.
    const plan: QueryPlan = {
      ...{ v: 2, kind: 'rows', dataset: datasetId, measures: [], dimensions: [], filters: [] },
      columns: COLUMNS.map(({ key }) => ({ dataset: datasetId, column: key })),
    }
    const ask = () => stub().query(person, { plan, calendar: CALENDAR })
    const before = unwrap(await ask())
    // The rows are others in the midst of the answer.
    const [pieces, answer] = await inside(async ({ context }) => {
      clearResultCache(context.sql)
      function* request(): QuerySteps<QueryRequest> {
        yield* groupingViewSteps(context, { scope: person, plan, calendar: CALENDAR })
        const catalogue = queryCatalogue(context, person)
        const columns = columnSources(context.sql)
        return { sql: context.sql, catalogue, scope: person, plan, calendar: CALENDAR, now: 0, columns }
      }
      const steps = queryInSteps({ ask: request, written: () => rowsWritten(context.sql) })
      for (let n = 1; ; n += 1) {
        const { done, value } = steps.next()
        if (done === true) return [n, value]
        if (n === 2) await load({ datasetId, mode: 'append', columns: COLUMNS, rows: [['New', 100_000, 5]] })
      }
    })
    expect(pieces).toBeGreaterThan(4)
    expect(answer.rows).toHaveLength(before.rows.length + 1)
    expect(answer.rows.at(-1)).toEqual(['New', 1000, 0.05])
    expect(answer.rows).toEqual(unwrap(await ask()).rows)
  })
})

describe('questions of a workspace', () => {
  it('are counted for each person, kept answers too, and not for background work', async () => {
    const { ask, person, scope } = await scene()
    for (let n = 0; n < 600; n += 1) unwrap(await ask())
    const refused = await ask()
    expect(refused).toMatchObject({ ok: false, error: { code: 'rate_limited' } })
    expect((await ask({}, { ...person, actorId: 'usr_00000000000000000001' })).ok).toBe(true)
    expect((await ask({}, scope)).ok).toBe(true)
  })

  it('are refused before any row is read when they would take too long', async () => {
    const { ask, inside } = await scene()
    await inside(({ context }) => void context.sql.exec('UPDATE datasets SET row_count = ?', 20 * DATASET_MAX_ROWS))
    expect(await ask()).toMatchObject({
      ok: false,
      error: { code: 'query_too_complex', details: { what: 'time' }, message: 'Query timed out.' },
    })
  })

  it('leave the queue when nobody waits for them', async () => {
    const { inside, plan, person } = await scene()
    const codes = await inside(async ({ context }) => {
      const held = Promise.withResolvers<void>()
      const now = context.clock.now()
      const desk = new QueryDesk({
        // A clock that stands still: each piece took what it was expected to, and a pause follows.
        context: () => ({ ...context, clock: { now: () => now }, pause: () => held.promise }),
        ...NOWHERE,
      })
      const limits = [1, 2, 3].map((limit) => ({ plan: { ...plan, limit }, calendar: CALENDAR, ticket: `t${limit}` }))
      await inside(({ context: { sql } }) => void sql.exec('UPDATE datasets SET row_count = 150000'))
      const asked = limits.map((each) =>
        desk.answer(person, each).then(
          ({ rows }) => rows.length,
          ({ code }: { code: string }) => code,
        ),
      )
      desk.cancel({ ...person, actorId: 'usr_00000000000000000009' }, 't3')
      desk.cancel(person, 't2')
      held.resolve()
      return Promise.all(asked)
    })
    expect(codes).toEqual([1, 'busy', 3])
  })

  it('are answered once where equal ones are asked at the same time, whoever else gives up', async () => {
    const { inside, plan, person } = await scene()
    const answers = await inside(async ({ context }) => {
      const pause = Promise.withResolvers<void>()
      const now = context.clock.now()
      const desk = new QueryDesk({
        context: () => ({ ...context, clock: { now: () => now }, pause: () => pause.promise }),
        ...NOWHERE,
      })
      await inside(({ context: { sql } }) => void sql.exec('UPDATE datasets SET row_count = 150000'))
      const ask = (n: number, ticket: string, more: Partial<ScopeWire> = {}) =>
        desk
          .answer(
            { ...person, actorId: `usr_${String(n).padStart(20, '0')}`, ...more },
            { plan, calendar: CALENDAR, ticket },
          )
          .then(
            ({ cached, rows }) => [cached, rows.length],
            ({ code }: { code: string }) => code,
          )
      const hidden = { rowFilters: [{ dataset: plan.dataset ?? '', anyOf: [[]], noneOf: [] }] }
      const asked = [ask(1, 'a'), ask(2, 'b'), ask(3, 'c'), ask(4, 'd'), ask(5, 'e', hidden)]
      const of = (n: number): ScopeWire => ({ ...person, actorId: `usr_${String(n).padStart(20, '0')}` })
      // Who asked first gives up, and one of those who wait: the next of them asks.
      desk.cancel(of(1), 'a')
      desk.cancel(of(3), 'c')
      pause.resolve()
      return Promise.all(asked)
    })
    expect(answers).toEqual(['busy', [false, 40], 'busy', [true, 40], [false, 0]])
  })

  it('leave it with the request that asked them', async () => {
    const { inside, stub, person, workspaceId, plan } = await scene()
    const asked = (limit: number) => ({
      plan: { ...plan, measures: plan.measures.slice(0, 1), totals: false, limit },
      calendar: CALENDAR,
    })
    const request = new AbortController()
    const tasks: Promise<unknown>[] = []
    const scope = Scope.forJob({ workspaceId, userId: 'usr_00000000000000000000', epoch: '1.1' })
    let tickets = 0
    const ids = { token: () => `t${tickets++}` }
    const lent = {
      signal: () => request.signal,
      ids,
      tasks: { waitUntil: (work: Promise<unknown>) => void tasks.push(work) },
    }
    const client = warehouseClientFactory(env.WAREHOUSE, lent)(scope)
    await client.query(asked(1))
    // After some pieces of the next one, the object pauses until it is let go on.
    const resume = await inside(({ context }) => {
      const held = Promise.withResolvers<void>()
      const now = context.clock.now()
      context.sql.exec('UPDATE datasets SET row_count = 1000000')
      context.clock = { now: () => now }
      context.pause = () => held.promise
      return held.resolve
    })
    const holding = stub().query(person, asked(4))
    const waiting = client.query(asked(2)).catch((error: unknown) => error)
    expect(tasks).toEqual([])
    request.abort()
    await Promise.all(tasks)
    expect(await waiting).toMatchObject({ code: 'busy' })
    expect(tasks).toHaveLength(1)
    await inside(() => resume())
    unwrap(await holding)
    const late = client.query(asked(3)).catch((error: unknown) => error)
    expect(await late).toMatchObject({ code: 'busy' })
    expect(tasks, 'the warehouse was never asked').toHaveLength(1)
  })
})

it('writes the answers of a moment together, once whoever asked has them', async () => {
  const { inside, plan, person } = await scene()
  const kept = await inside(async ({ context }) => {
    const later = Promise.withResolvers<void>()
    const pause = (ms = 0): Promise<void> => (ms > 0 ? later.promise : Promise.resolve())
    const desk = new QueryDesk({ context: () => ({ ...context, pause }), ...NOWHERE })
    const rows = () => context.sql.exec('SELECT * FROM query_cache').toArray().length
    for (const limit of [1, 2]) await desk.answer(person, { plan: { ...plan, limit }, calendar: CALENDAR })
    const before = rows()
    later.resolve()
    await new Promise((resolve) => setTimeout(resolve, 0))
    return [before, rows()]
  })
  expect(kept).toEqual([0, 2])
})
