import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { ERRORS } from '../shared/errors'
import { seedOf } from '../../test/seed'
import { fakePasswords } from '../../test/worker/accounts'
import { mutationOf, requestOf, type FuzzRequest, type Mutation } from '../../test/worker/fuzz/requests'
import { anAttackSetting, foreignRows, type AttackSetting } from '../../test/worker/fuzz/world'
import { routeTable } from '../../test/worker/http/route-table'

const LONG = env.LONG === '1'
const REQUESTS = Number(env.HARDENING_COUNT) || (LONG ? 100_000 : 2_000)
const SEED = seedOf(LONG)
/** Requests until everybody gets a new pair of workspaces: some of them delete what they are let to. */
const ROUND = 200
const ANSWER_MAX_MS = 5_000

/** Health asks for bindings that tests do not have. The others make up a whole company each time; who may not is refused by the same guard as everywhere. */
const HEAVY = new Set(['POST /api/sample', 'POST /api/session/demo'])
const app = createApp({ passwords: fakePasswords() })
const routes = routeTable(app).filter(({ method, path }) => path !== '/health' && !HEAVY.has(`${method} ${path}`))
const codes = new Set<unknown>(Object.keys(ERRORS))
const LEAKS = /SQLITE|D1_ERROR|node_modules|\bat \w+ \(|TypeError|ReferenceError|src\//

/** What is wrong with an answer, in words; null when nothing is. */
async function faultOf(
  answer: Response,
  { request, world, took }: { request: FuzzRequest; world: AttackSetting; took: number },
) {
  const { status } = answer
  const text = await answer.text()
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`
  if (took > ANSWER_MAX_MS) return `took ${took} ms`
  // Staff see the names of all workspaces: it is what their list is for.
  if (text.includes(world.marker) && !request.path.startsWith('/api/admin/workspaces'))
    return 'answers with what belongs to somebody else'
  if (LEAKS.test(text) && status >= 400) return `tells of its inside: ${text.slice(0, 300)}`
  const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.init.method)
  if (request.forged && isWrite && status < 400) return `takes a forged call: ${status}`
  if (request.namesForeign && status < 400) return `answers for a foreign id: ${status}`
  if (status >= 400 && request.path.startsWith('/api/') && request.init.method !== 'HEAD') {
    const code: unknown = JSON.parse(text).code
    if (!codes.has(code)) return `an error of no known code: ${text.slice(0, 300)}`
  }
  return null
}

async function attack(world: AttackSetting, mutation: Mutation): Promise<string | null> {
  const route = routes[mutation.route]
  if (!route) return null
  const request = requestOf(world, route, mutation)
  const started = performance.now()
  const answer = await world.actors[mutation.actor].fetch(request.path, request.init)
  const fault = await faultOf(answer, { request, world, took: performance.now() - started })
  return (
    fault && `${route.method} ${route.path} as ${mutation.actor}: ${fault} ${JSON.stringify(request).slice(0, 1_000)}`
  )
}

describe(`${REQUESTS} requests as nobody's page sends them (npm run attack)`, () => {
  it(
    'are answered without a fault, within 5 s, with nothing of another workspace, and change nothing there',
    async () => {
      console.info(`attack: ${REQUESTS} requests, seed ${SEED}`)
      const faults: string[] = []
      const reached = new Set<number>()
      for (let round = 0; round * ROUND < REQUESTS; round++) {
        const world = await anAttackSetting(app, `Secret${round}x${SEED}`)
        const before = await foreignRows(world)
        for (const mutation of fc.sample(mutationOf(routes.length), { seed: SEED + round, numRuns: ROUND })) {
          reached.add(mutation.route)
          const fault = await attack(world, mutation)
          if (fault !== null) faults.push(fault)
        }
        if ((await foreignRows(world)) !== before) faults.push(`round ${round}: rows of another workspace changed`)
      }
      expect(faults).toEqual([])
      expect(reached.size).toBeGreaterThan(Math.min(routes.length, REQUESTS / 4) * 0.9)
    },
    LONG ? 3_600_000 : 120_000,
  )
})
