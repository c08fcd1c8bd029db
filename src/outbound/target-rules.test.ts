import { describe, expect, it } from 'vitest'
import { DoorError } from './doors'
import { isPublicAddress } from './ip-ranges'
import { targetFetch } from './target-fetch'
import { checkServer, parseAllowedTargets, type TargetRules } from './target-rules'

const RULES: TargetRules = { ownHosts: ['insikt.example.org'], allowed: new Set() }
const PRIVATE_V4 = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.0.1',
]
const octets = (address: string): number[] => address.split('.').map(Number)
const spellings = (address: string): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address)
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const [high, low] = [a * 256 + b, c * 256 + d].map((part) => part.toString(16))
  return [
    address,
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    octets(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
    octets(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(Number(digit) + 0xff10)),
    `${address}.`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
  ]
}
const HOSTS = [
  ...PRIVATE_V4.flatMap(spellings),
  ...[
    '[::]',
    '[::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2001::1]',
    '[100::1]',
  ],
  ...[
    'localhost',
    'localhost.',
    'a.localhost',
    'printer',
    'db.internal',
    'x.local',
    'host.lan',
    'metadata.google.internal',
  ],
  ...[
    'insikt.example.org',
    'a.insikt.example.org',
    'insikt.someone.workers.dev',
    'x.pages.dev',
    'xn--lcalhost-p4a',
    'a..b.com',
  ],
]
const URLS = [
  ...HOSTS.flatMap((host) => [`https://${host}/`, `https://${host}/x?y=1`]),
  ...[
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://a.com/',
    'gopher://a.com/',
    'blob:https://a.com/1',
    'ws://a.com/',
    'HTTP://a.com/',
    'javascript:1',
  ],
  ...[
    'https://a.com:22/',
    'https://a.com:25/',
    'https://a.com:6379/',
    'https://a.com:0/',
    'https://user:pass@a.com/',
    'https://a.com@127.0.0.1/',
  ],
  ...[
    'https://a.com/cdn-cgi/trace',
    'https://a.com/%63dn-cgi/trace',
    'https:\\\\127.0.0.1\\',
    'https://a.com/ x',
    ' https://a.com/',
    '',
  ],
]

/** A network in which every call is remembered, and every name is public. */
function network(answers: Record<string, Response> = {}) {
  const calls: Request[] = []
  const fetcher = (request: Request): Promise<Response> => {
    calls.push(request)
    return Promise.resolve(answers[request.url]?.clone() ?? new Response('rows'))
  }
  const resolve = (): Promise<string[]> => Promise.resolve(['93.184.216.34'])
  return { calls, network: { rules: RULES, resolve, fetcher } }
}
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'let through',
    (error: unknown) => (error instanceof DoorError ? error.reason : String(error)),
  )

describe('the door to what a person entered', () => {
  it(`refuses ${URLS.length} targets, and calls none of them, directly or by a redirect`, async () => {
    expect(URLS.length).toBeGreaterThanOrEqual(300)
    for (const url of URLS) {
      const direct = network()
      expect([url, await refusal(targetFetch(direct.network, { url })), direct.calls.length]).toEqual([
        url,
        'not_allowed',
        0,
      ])
      // A header is ASCII; a browser's parser has made it so before.
      if (/[^\x20-\x7e]/.test(url)) continue
      if (
        !URL.canParse(url, 'https://public.com/') ||
        url.trim() !== url ||
        url === '' ||
        url.startsWith('https://a.com/ ')
      )
        continue
      const hop = network({ 'https://public.com/': new Response(null, { status: 302, headers: { location: url } }) })
      const outcome = await refusal(targetFetch(hop.network, { url: 'https://public.com/' }))
      expect([url, outcome, hop.calls.length]).toEqual([url, 'not_allowed', 1])
    }
  })

  it('lets public targets through, and for tests exactly what is listed', async () => {
    const { network: at } = network()
    expect(await (await targetFetch(at, { url: 'https://files.com/a.csv' })).text()).toBe('rows')
    const rules = { ...RULES, allowed: parseAllowedTargets('127.0.0.1:4010') }
    expect(await refusal(targetFetch({ ...at, rules }, { url: 'http://127.0.0.1:4010/' }))).toBe('let through')
    expect(await refusal(targetFetch({ ...at, rules }, { url: 'http://127.0.0.1:4011/' }))).toBe('not_allowed')
  })

  it('holds databases to the same rules', () => {
    for (const host of [...HOSTS.filter((each) => !each.endsWith('.')), 'a.com/x', 'user@a.com'])
      expect(() => checkServer({ host, port: 5432 }, RULES), host).toThrow(DoorError)
    for (const port of [0, 22, 25, 6379, 70_000])
      expect(() => checkServer({ host: 'db.com', port }, RULES)).toThrow(DoorError)
    expect(checkServer({ host: 'db.com', port: 5432 }, RULES)).toMatchObject({ host: 'db.com' })
    expect(['93.184.216.34', '2606:2800:220:1::1'].every(isPublicAddress)).toBe(true)
  })
})
