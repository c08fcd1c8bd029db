import { expect, it } from 'vitest'
import { listConnectors } from './registry'
import { contextOf } from '../../test/worker/connectors/fixture'
import { CONNECTOR_FIXTURES } from '../../test/worker/connectors/fixtures'
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS, RULES } from '../../test/worker/forbidden-targets'
import { createDoors } from '../outbound/create-doors'

const PUBLIC = { host: 'files.example.net', url: 'https://files.example.net/' }

/** Every kind of source whose server a person names, with the field that names it. */
const NAMED = listConnectors().flatMap(({ connector }) =>
  connector
    .describe()
    .fields.filter(({ isTarget, control }) => isTarget === true && control !== 'number')
    .map(({ key, control }) => ({ kind: connector.describe().kind, key, isUrl: control === 'url', connector })),
)
type Named = (typeof NAMED)[number]

/** Doors behind which everybody is listened to: each call is remembered, and answered by a redirect where one is given. */
function listened(location?: string) {
  const calls: string[] = []
  const fetcher = (request: Request): Promise<Response> => {
    calls.push(new URL(request.url).hostname)
    return Promise.resolve(new Response(null, location === undefined ? {} : { status: 302, headers: { location } }))
  }
  const network = { rules: RULES, resolve: () => Promise.resolve(['93.184.216.34']), fetcher }
  return { calls, doors: createDoors({ network, origins: {}, pool: () => null }) }
}

/** What of a connection to this server is refused before or by its test. */
async function refusalOf({ kind, key, connector }: Named, server: string, doors: ReturnType<typeof createDoors>) {
  const fixture = CONNECTOR_FIXTURES[kind]?.()
  if (!fixture) throw new Error(`no fixture for ${kind}`)
  const settings = { ...fixture.connection.settings, [key]: server }
  const context = contextOf({ ...fixture, connection: { ...fixture.connection, settings } }, doors)
  if (Object.keys(connector.check?.(settings) ?? {}).length > 0) return 'not_allowed'
  try {
    await connector.test(context)
    return 'let through'
  } catch (error) {
    return error instanceof Error && /isn’t at a public address/.test(error.message)
      ? 'not_allowed'
      : String(Reflect.get(Object(error), 'reason'))
  }
}

it.each(NAMED)('$kind calls nobody at a $key that leads inside, whatever it is written as (SSRF-1)', async (named) => {
  // A blank before a public address leads nowhere else.
  const targets = (named.isUrl ? FORBIDDEN_URLS : FORBIDDEN_HOSTS).filter((one) => one.trim() !== 'https://a.com/')
  for (const target of targets) {
    const { calls, doors } = listened()
    expect([target, await refusalOf(named, target, doors), calls]).toEqual([target, 'not_allowed', []])
  }
})

it.each(NAMED.filter(({ kind }) => !['postgresql', 'mysql', 'shopify'].includes(kind)))(
  '$kind follows no redirect of a public $key that leads inside (SSRF-3)',
  async (named) => {
    // A header is ASCII; what is relative leads to the same server.
    for (const target of FORBIDDEN_URLS.filter((url) => /^https:\/\/[\x21-\x7e]+$/.test(url))) {
      const { calls, doors } = listened(target)
      expect([target, await refusalOf(named, named.isUrl ? PUBLIC.url : PUBLIC.host, doors)]).not.toContain(
        'let through',
      )
      expect([target, new Set(calls).size, calls[0]?.endsWith(PUBLIC.host)]).toEqual([target, 1, true])
    }
  },
)

it('knows of every kind whose server a person names', () => {
  expect(NAMED.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    ...['url url', 's3 endpoint', 'postgresql host', 'mysql host', 'clickhouse host', 'shopify shop'],
  ])
  expect(FORBIDDEN_URLS.length).toBeGreaterThanOrEqual(300)
})
