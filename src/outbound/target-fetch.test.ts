import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../../test/long'
import { DoorError, type TargetCall } from './doors'
import { dnsOverHttps, type Resolver } from './resolve-name'
import { targetFetch, type TargetNetwork } from './target-fetch'
import { targetSocket } from './target-socket'
import type { TargetRules } from './target-rules'

const RULES: TargetRules = { ownHosts: ['insikt.example.org'], allowed: new Set() }
const PUBLIC = '93.184.216.34'
const FIRST = 'https://first.com/a'

/** How a call was refused; null: it was let through. */
const refusal = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof DoorError ? error.reason : String(error)),
  )

interface Hop {
  status: number
  to: string
}
/** A network of redirects by address; everything else answers rows. Every call is remembered. */
function network(hops: Readonly<Record<string, Hop>> = {}, resolve: Resolver = async () => [PUBLIC]) {
  const calls: { url: string; method: string; body: string; headers: Headers }[] = []
  const fetcher = async (request: Request): Promise<Response> => {
    const { url, method, headers } = request
    calls.push({ url, method, body: await request.text(), headers })
    const hop = hops[url]
    return hop ? new Response(null, { status: hop.status, headers: { location: hop.to } }) : new Response('rows')
  }
  return { calls, network: { rules: RULES, resolve, fetcher } satisfies TargetNetwork }
}

describe('a redirect (SSRF-3)', () => {
  const MOVED = [301, 302, 303, 307, 308]
  const SECRETS = {
    authorization: 'Bearer secret',
    cookie: 'a=secret',
    'x-api-key': 'secret',
    'proxy-authorization': 'secret',
    'user-agent': 'secret',
  }
  const BODY = { 'content-type': 'application/json', 'content-language': 'sv' }
  const HARMLESS = { accept: 'text/csv', 'if-none-match': '"v1"' }
  const named = (headers: Headers | undefined, names: object): string[] =>
    Object.keys(names).filter((name) => headers?.has(name) === true && headers.get(name) !== 'Insikt')

  const cases = MOVED.flatMap((status) =>
    (['GET', 'HEAD', 'POST'] as const).flatMap((method) =>
      ['https://first.com/b', 'https://second.com/b', 'https://first.com:8443/b', 'https://sub.first.com/b'].map(
        (to) => ({ status, method, to }),
      ),
    ),
  )
  it.each(cases)('by $status of a $method to $to keeps what the standard keeps, and secrets at home', async (given) => {
    const { status, method, to } = given
    const { calls, network: at } = network({ [FIRST]: { status, to } })
    const call: TargetCall = { url: FIRST, method, headers: { ...SECRETS, ...BODY, ...HARMLESS } }
    const outcome = await refusal(targetFetch(at, method === 'POST' ? { ...call, body: '{"q":"secret"}' } : call))
    const isHome = new URL(to).origin === new URL(FIRST).origin
    const keepsBody = method === 'POST' && (status === 307 || status === 308)
    // What was written for one origin is not handed to another.
    if (keepsBody && !isHome) return expect([outcome, calls.length]).toEqual(['not_allowed', 1])
    const [, second] = calls
    expect([outcome, calls.length, second?.url]).toEqual([null, 2, to])
    expect(second?.method).toBe(method === 'POST' && !keepsBody ? 'GET' : method)
    expect(second?.body).toBe(keepsBody ? '{"q":"secret"}' : '')
    expect(named(second?.headers, SECRETS)).toEqual(isHome ? Object.keys(SECRETS) : [])
    expect(named(second?.headers, HARMLESS)).toEqual(Object.keys(HARMLESS))
    expect(named(second?.headers, BODY)).toEqual(isHome && (method !== 'POST' || keepsBody) ? Object.keys(BODY) : [])
  })

  it('brings no secret back that was left behind on the way', async () => {
    const hops = {
      [FIRST]: { status: 302, to: 'https://second.com/' },
      'https://second.com/': { status: 302, to: `${FIRST}2` },
    }
    const { calls, network: at } = network(hops)
    expect(await refusal(targetFetch(at, { url: FIRST, headers: SECRETS }))).toBeNull()
    expect(calls.map(({ headers }) => named(headers, SECRETS).length)).toEqual([5, 0, 0])
  })

  it.each(MOVED)('by %i is followed three times, whether it leads on or round', async (status) => {
    const step = (n: number): string => `https://first.com/${n}`
    const chain = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [step(n), { status, to: step(n + 1) }]))
    for (const [hops, from, calls] of [
      [chain, step(0), 4],
      [chain, step(3), 4],
      [{ [FIRST]: { status, to: FIRST } }, FIRST, 4],
    ] as const) {
      const walked = network(hops)
      const outcome = await refusal(targetFetch(walked.network, { url: from }))
      expect([outcome, walked.calls.length]).toEqual([from === step(3) ? null : 'not_allowed', calls])
    }
  })

  const INSIDE = [
    'http://first.com/',
    'https://10.0.0.1/',
    'https://[::1]/',
    '//127.0.0.1/x',
    'file:///etc/passwd',
    'https://u:p@first.com/',
  ]
  it.each(MOVED.flatMap((status) => [1, 2, 3].map((hop) => ({ status, hop }))))(
    'by $status to where nobody may go is not followed at hop $hop',
    async ({ status, hop }) => {
      for (const to of INSIDE) {
        const step = (n: number): string => `https://first.com/${n}`
        const hops = Object.fromEntries(
          Array.from({ length: hop }, (_, n) => [step(n), { status, to: n === hop - 1 ? to : step(n + 1) }]),
        )
        const { calls, network: at } = network(hops)
        expect([to, await refusal(targetFetch(at, { url: step(0) })), calls.length]).toEqual([to, 'not_allowed', hop])
      }
    },
  )

  it('to nowhere is a server that is down, and no other status leads anywhere', async () => {
    const broken = network({ [FIRST]: { status: 302, to: 'https://[' } })
    expect(await refusal(targetFetch(broken.network, { url: FIRST }))).toBe('down')
    const other = network({ [FIRST]: { status: 300, to: 'https://second.com/' } })
    expect([(await targetFetch(other.network, { url: FIRST })).status, other.calls.length]).toEqual([300, 1])
  })
})

describe('a name (SSRF-4)', () => {
  const PRIVATE = [['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['fd00::1'], ['::ffff:169.254.169.254'], ['64:ff9b::7f00:1']]

  it.each(PRIVATE)('that resolves to %s, %s is called at no hop', async (...addresses) => {
    const inside = addresses.filter((address) => address !== undefined)
    const steps = ['https://first.com/', 'https://second.com/', 'https://third.com/', 'https://fourth.com/']
    for (let hop = 0; hop < steps.length; hop += 1) {
      const hops = Object.fromEntries(
        steps.slice(0, hop).map((from, n) => [from, { status: 307, to: steps[n + 1] ?? '' }]),
      )
      const bad = new URL(steps[hop] ?? '').hostname
      const { calls, network: at } = network(hops, async (name) => (name === bad ? inside : [PUBLIC]))
      expect([hop, await refusal(targetFetch(at, { url: steps[0] ?? '' })), calls.length]).toEqual([
        hop,
        'not_allowed',
        hop,
      ])
    }
  })

  it('that is public at first and private by the next hop is not called again', async () => {
    const answers = [[PUBLIC], ['127.0.0.1']]
    const { calls, network: at } = network(
      { [FIRST]: { status: 302, to: 'https://first.com/b' } },
      async () => answers.shift() ?? [],
    )
    expect([await refusal(targetFetch(at, { url: FIRST })), calls.map(({ url }) => url)]).toEqual([
      'not_allowed',
      [FIRST],
    ])
  })

  it.each(PRIVATE)('of a database that resolves to %s, %s is not connected to', async (...addresses) => {
    const inside = addresses.filter((address) => address !== undefined)
    const at = { rules: RULES, resolve: () => Promise.resolve(inside) }
    expect(await refusal(targetSocket(at, { host: 'db.first.com', port: 5432, tls: 'direct' }))).toBe('not_allowed')
  })

  const record = (type: number, data: string) => ({ name: 'x', type, TTL: 1, data })
  it.each([
    {
      says: 'all addresses of both versions',
      A: [record(1, PUBLIC)],
      AAAA: [record(28, 'fd00::1')],
      gives: [PUBLIC, 'fd00::1'],
    },
    {
      says: 'what an alias leads to',
      A: [record(5, 'inside.lan.'), record(1, '10.0.0.1')],
      AAAA: [],
      gives: ['10.0.0.1'],
    },
    {
      says: 'nothing of an alias that leads nowhere',
      A: [record(5, 'inside.lan.')],
      AAAA: [record(16, '"text"')],
      gives: [],
    },
  ])('is asked for $says', async ({ A, AAAA, gives }) => {
    const resolve = dnsOverHttps(async ({ url }) =>
      Response.json({ Answer: new URL(url).searchParams.get('type') === 'A' ? A : AAAA }),
    )
    expect(await resolve('first.com')).toEqual(gives)
  })

  it('of which nobody can say where it is, is down', async () => {
    const answers = [new Response('', { status: 500 }), new Response('no json'), new Response('x'.repeat(70_000))]
    for (const answer of answers)
      expect(await refusal(dnsOverHttps(async () => answer.clone())('first.com'))).toBe('down')
    const { calls, network: at } = network({}, () => Promise.resolve([]))
    expect([await refusal(targetFetch(at, { url: FIRST })), calls.length]).toEqual(['down', 0])
  })
})

describe('a server that means ill (SSRF-6)', () => {
  interface Seen {
    http: number
    tcp: number
    memory: number
    seen: { open: number; sent: number }
  }
  const look = async (): Promise<Seen> => (await env.RUDE_DOOR.fetch('http://rude/')).json()
  let server: Seen
  beforeAll(async () => {
    server = await look()
  })
  const CAP = 256 * 1024
  /** What the network between holds at most. */
  const BUFFERS = 16 * 1024 ** 2
  /** Through the platform's own network: what is compressed is unpacked by it. */
  const call = (path: string, given: Partial<TargetCall> = {}) => {
    const port = path === '/headers' ? server.tcp : server.http
    const rules = { ...RULES, allowed: new Set([`127.0.0.1:${port}`]) }
    const at: TargetNetwork = { rules, resolve: () => Promise.reject(new Error('not asked')), fetcher: undefined }
    return targetFetch(at, { url: `http://127.0.0.1:${port}${path}`, maxBytes: CAP, ...given })
  }
  const read = (path: string, given: Partial<TargetCall> = {}): Promise<string | null> =>
    refusal(call(path, given).then((answer) => answer.json()))

  it.each([
    ['bytes that become a thousand times as many', '/bomb', 'too_large', 5_000],
    ['a body without end', '/endless', 'too_large', 5_000],
    ['more than it may send, and says so', '/announced', 'too_large', 5_000],
    ['a byte now and then', '/drip', 'timeout', 150],
    ['nothing at all', '/silent', 'timeout', 150],
    ['a header now and then', '/headers', 'timeout', 150],
    ['less than it announced', '/short', 'down', 5_000],
    ['a page where data belongs', '/page', 'down', 5_000],
    ['headers of a megabyte', '/wide', 'down', 5_000],
  ])('and sends %s is hung up on', async (_what, path, reason, deadlineMs) => {
    const before = await look()
    const begun = Date.now()
    expect(await read(path, { deadlineMs })).toBe(reason)
    expect(Date.now() - begun).toBeLessThan(4_000)
    const { seen } = await look()
    expect(seen.sent - before.seen.sent).toBeLessThan(CAP + BUFFERS)
    await expect.poll(async () => (await look()).seen.open, { timeout: 5_000 }).toBeLessThanOrEqual(before.seen.open)
  })

  it('is read no further than its reader reads, packed or not', async () => {
    for (const path of ['/bomb', '/endless']) {
      const before = await look()
      const reader = (await call(path, { maxBytes: 1024 ** 3 })).body.getReader()
      let unpacked = 0
      while (unpacked < CAP) unpacked += (await reader.read()).value?.byteLength ?? CAP
      // Nobody reads on: it is not unpacked into memory meanwhile.
      await scheduler.wait(LONG ? 2_000 : 100)
      const { seen, memory } = await look()
      expect(unpacked).toBeLessThan(4 * CAP)
      expect(seen.sent - before.seen.sent).toBeLessThan(CAP + BUFFERS)
      if (LONG) expect(before.memory).toBeGreaterThan(0)
      if (LONG) expect(memory - before.memory).toBeLessThan(20 * 1024 ** 2)
      await reader.cancel()
    }
  })
})
