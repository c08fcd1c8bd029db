import { Agent, request } from 'node:http'
import { workerdMemory } from './memory.ts'
import { MB, ms, p95, quantile, type Row } from './row.ts'
import { addVisitors, type Visitor } from './visitors.ts'
import { Person } from '../http/person.ts'
import type { RunningServer } from '../http/server.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'

const WORKSPACES = 5
const PEOPLE_EACH = 10
const REQUESTS = 20_000
/** Until then the heaps of the server's isolates grow to what they may have, whoever asks. */
const WARM_REQUESTS = 10_000
const PAGES = ['/data-sources', '/insights', '/forecasts']
const LISTS = [
  '/api/data-sources',
  '/api/insights',
  '/api/metrics',
  '/api/findings',
  '/api/alerts',
  '/api/forecasts',
  '/api/members',
  '/api/session',
]
const LIMITS = 40

interface Call {
  method: 'GET' | 'POST'
  path: string
  accept: string
  body?: string
}
interface Caller extends Visitor {
  workspaceId: string
  plans: QueryPlanInput[]
}
interface Measured {
  seconds: number
  latencies: number[]
  failed: number
}

/** A workspace with the sample company, its loads done. */
async function sampleWorkspace(address: string, at: number): Promise<Person> {
  const owner = new Person(address)
  await owner.register(`mixed${at}@example.com`)
  await owner.call('PUT', '/api/onboarding', { step: 'done' })
  await owner.call('POST', '/api/sample')
  for (;;) {
    const { state } = await owner.call<{ state: string }>('GET', '/api/sample')
    if (state === 'ready') return owner
    if (state === 'failed') throw new Error('The sample did not load.')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function callersOf(server: RunningServer): Promise<Caller[]> {
  const callers: Caller[] = []
  for (let at = 0; at < WORKSPACES; at++) {
    const owner = await sampleWorkspace(server.address, at)
    const { workspace } = await owner.call<{ workspace: { id: string } }>('GET', '/api/session')
    const { items } = await owner.call<{ items: Insight[] }>('GET', '/api/insights')
    const plans = items.map(({ plan }) => plan)
    const visitors = await addVisitors(server, workspace.id, PEOPLE_EACH)
    callers.push(...visitors.map((visitor) => ({ ...visitor, workspaceId: workspace.id, plans })))
  }
  return callers
}

/** One page, five lists, four questions: half of these as saved, half as nobody asked them before. */
function callAt(nth: number, { plans }: Caller): Call {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(nth / 10) % from.length]
  const json = 'application/json'
  const turn = nth % 10
  if (turn === 0) return { method: 'GET', path: pick(PAGES) ?? '/', accept: 'text/html' }
  if (turn <= 5)
    return { method: 'GET', path: LISTS[(nth - 1 + Math.floor(nth / 10)) % LISTS.length] ?? '/', accept: json }
  const plan = plans[(nth + Math.floor(nth / 10)) % plans.length]
  const asked = turn <= 7 ? plan : { ...plan, limit: 1 + ((nth * 7) % LIMITS) }
  return { method: 'POST', path: '/api/query', accept: json, body: JSON.stringify({ plan: asked }) }
}

/** Everybody calls, one call after the other, until so many were answered. */
async function callAll(address: string, callers: readonly Caller[], count: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers.length })
  const latencies: number[] = []
  let [begun, failed] = [0, 0]
  const started = performance.now()
  await Promise.all(
    callers.map(async (caller) => {
      while (begun < count) {
        const sent = performance.now()
        if ((await send(agent, address, { caller, call: callAt(begun++, caller) })) !== 200) failed++
        latencies.push(performance.now() - sent)
      }
    }),
  )
  agent.destroy()
  return { seconds: (performance.now() - started) / 1000, latencies, failed }
}

function send(agent: Agent, address: string, { caller, call }: { caller: Caller; call: Call }): Promise<number> {
  const headers = {
    accept: call.accept,
    cookie: caller.cookie,
    'x-workspace': caller.workspaceId,
    'x-csrf-token': caller.csrf,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json', origin: address }),
  }
  return new Promise((resolve, reject) => {
    request(`${address}${call.path}`, { agent, method: call.method, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
      .on('error', reject)
      .end(call.body)
  })
}

/** M1: 50 people in 5 workspaces with the sample company look at pages, lists and figures at once. */
export async function mixedRows(server: RunningServer): Promise<Row[]> {
  const callers = await callersOf(server)
  const memory = workerdMemory(server.pid)
  await callAll(server.address, callers, WARM_REQUESTS)
  const before = memory()
  const { seconds, latencies, failed } = await callAll(server.address, callers, REQUESTS)
  const grown = (memory() - before) / MB
  if (failed > 0) throw new Error(`${failed} of ${REQUESTS} requests failed.`)
  const perSecond = REQUESTS / seconds
  const what = `${callers.length} people in ${WORKSPACES} workspaces, pages, lists and questions`
  return [
    {
      id: 'M1',
      what: `${what}: requests a second`,
      ours: `${Math.round(perSecond)} req/s`,
      reference: '200 req/s (goal)',
      ratio: (perSecond / 200).toFixed(2),
      better: 'higher',
    },
    {
      id: 'M1',
      what: `${what}: p95 (median ${ms(quantile(latencies, 0.5))})`,
      ours: ms(p95(latencies)),
      reference: '400 ms (goal)',
      ratio: (p95(latencies) / 400).toFixed(2),
    },
    {
      id: 'M1',
      what: `${what}: memory after ${REQUESTS.toLocaleString('en-US')} requests`,
      ours: `+${Math.round(grown)} MB`,
      reference: `${Math.round(before / MB)} MB before`,
      ratio: ((before / MB + grown) / (before / MB)).toFixed(2),
    },
  ]
}
