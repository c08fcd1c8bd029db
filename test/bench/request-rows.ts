import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { build } from 'vite'
import type { Person } from '../http/person.ts'
import type { Row } from './row.ts'

const CONNECTIONS = 50
const WARM_MS = 1_000
const MEASURE_MS = 4_000

/** Answered requests per second at 50 connections; anything but 200 is an error. */
async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const get = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(url, { agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))))
      })
        .on('error', reject)
        .end()
    })
  const run = async (forMs: number): Promise<number> => {
    let answered = 0
    const started = performance.now()
    const until = started + forMs
    const caller = async (): Promise<void> => {
      while (performance.now() < until) {
        await get()
        answered++
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, caller))
    return (answered * 1000) / (performance.now() - started)
  }
  await run(WARM_MS)
  const answered = await run(MEASURE_MS)
  agent.destroy()
  return answered
}

async function bareScript(): Promise<string> {
  const entry = fileURLToPath(new URL('bare-worker.mjs', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['es'], fileName: 'bare' } },
  })
  const [{ output }] = Array.isArray(built) ? built : [{ output: [] }]
  const [chunk] = output
  if (chunk?.type !== 'chunk') throw new Error('the bare Worker was not built')
  return chunk.code
}

/** A bare Hono route with one D1 read, on the same kind of server. */
async function bareRate(): Promise<number> {
  const worker = { modules: true, script: await bareScript(), compatibilityDate: '2026-10-01', d1Databases: ['DB'] }
  const bare = new Miniflare(convertV4MiniflareOptions({ ...worker, host: '127.0.0.1', port: 0, cf: false }))
  const address = await bare.ready
  const database = await bare.getD1Database('DB')
  await database.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Anna')")
  const answered = await rate(new URL('/person', address).href, {})
  await bare.dispose()
  return answered
}

/** A1: an authenticated JSON read against a bare route; A2: round trips to D1 and calls of objects, per request. */
export async function requestRows(person: Person, at: { dataset: string }): Promise<Row[]> {
  const ours = await rate(`${person.address}/api/profile`, person.headers())
  const bare = await bareRate()
  const costs = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<string> => {
    const answer = await person.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    const found = answer.headers.get('server-timing') ?? ''
    const [d1, objects, written] = [...found.matchAll(/desc="(\d+)"/g)].map(([, count]) => count)
    return `${d1} D1, ${objects} object, ${written} rows`
  }
  const count = { v: 1, kind: 'aggregate', dataset: at.dataset, measures: [{ kind: 'column', agg: 'count' }] }
  const plan = { ...count, dimensions: [], filters: [] }
  const asked: [string, Promise<string>][] = [
    ['page', costs('GET', '/data-sources')],
    ['read', costs('GET', '/api/profile')],
    ['list of sources', costs('GET', '/api/data-sources')],
    ['query', costs('POST', '/api/query', { plan })],
    ['write', costs('POST', '/api/insights', { name: 'Counted', plan, viz: { chart: 'number' } })],
  ]
  const a2 = await Promise.all(
    asked.map(async ([what, found]) => ({
      id: 'A2',
      what: `one ${what}`,
      ours: await found,
      reference: '–',
      ratio: '–',
    })),
  )
  return [
    {
      id: 'A1',
      what: `authenticated JSON read, ${CONNECTIONS} connections`,
      ours: `${Math.round(ours)} req/s`,
      reference: `${Math.round(bare)} req/s (bare Hono, one D1 read)`,
      ratio: (ours / bare).toFixed(2),
      better: 'higher',
    },
    ...a2,
  ]
}
