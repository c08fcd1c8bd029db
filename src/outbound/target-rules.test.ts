import { describe, expect, it } from 'vitest'
import { DoorError } from './doors'
import { isPublicAddress } from './ip-ranges'
import { targetFetch } from './target-fetch'
import { checkServer, parseAllowedTargets } from './target-rules'
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS, RULES } from '../../test/worker/forbidden-targets'

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
  it(`refuses ${FORBIDDEN_URLS.length} targets, and calls none of them, directly or by a redirect`, async () => {
    expect(FORBIDDEN_URLS.length).toBeGreaterThanOrEqual(300)
    for (const url of FORBIDDEN_URLS) {
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
    for (const host of [...FORBIDDEN_HOSTS.filter((each) => !each.endsWith('.')), 'a.com/x', 'user@a.com'])
      expect(() => checkServer({ host, port: 5432 }, RULES), host).toThrow(DoorError)
    for (const port of [0, 22, 25, 6379, 70_000])
      expect(() => checkServer({ host: 'db.com', port }, RULES)).toThrow(DoorError)
    expect(checkServer({ host: 'db.com', port: 5432 }, RULES)).toMatchObject({ host: 'db.com' })
    expect(['93.184.216.34', '2606:2800:220:1::1'].every(isPublicAddress)).toBe(true)
  })
})
