import fc from 'fast-check'
import { ACTOR_NAMES, type ActorName, type AttackSetting } from './world'
import { ID_OF, newIdOf, pathWith, type ResourceIds } from '../resources'
import type { RouteEntry } from '../http/route-table'
import { replaceAt, sampleOf, type Path, type Sample } from '../schema-samples'

/** What is done to a call that the table of routes describes. */
export interface Mutation {
  route: number
  actor: ActorName
  ids: 'own' | 'foreign' | 'random' | 'broken'
  body: 'valid' | 'foreign' | 'scalar' | 'key' | 'cut' | 'text' | 'deep' | 'none'
  forgery: 'none' | 'token' | 'origin' | 'site' | 'type'
  query: string
  /** Which place of the body, and which hostile value. */
  at: number
  value: number
  workspace: 'own' | 'foreign'
  method: string | null
}

/** Where texts, numbers, ids and dates belong. */
const HOSTILE: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202eabc',
    'ÅÄÖ\u0301',
    '\u{1f468}\u200d\u{1f469}',
    'a'.repeat(5_000),
    '../../etc/passwd',
  ],
  ...["' OR 1=1 --", '"; DROP TABLE users; --', '${7*7}', '{{7*7}}', '<script>alert(1)</script>', '=1+1', '\r\nX: y'],
  ...['2026-02-30', '9999-12-31', '0000-00-00', 'NaN', '1e999', '-0', '%00', ':id', 'constructor', '__proto__'],
  ...[
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    Number.MAX_SAFE_INTEGER + 2,
    2 ** 31,
    true,
    null,
    [],
    {},
    [[]],
    { $gt: '' },
    ['a', 'a'],
  ],
]
const BROKEN_IDS: readonly string[] = [
  ...[
    '%00',
    '..%2f..%2f',
    ':id',
    '%3Aid',
    'x',
    '0',
    'null',
    'undefined',
    '%ff',
    '%E0%A4%A',
    'a'.repeat(3_000),
    '__proto__',
    '%20',
  ],
]
const QUERIES: readonly string[] = [
  ...[
    '',
    '',
    '',
    '?limit=-1',
    '?limit=1e9',
    '?cursor=%00',
    '?cursor=eyJhIjoxfQ',
    '?q=%ff',
    '?q[]=1',
    '?w=',
    '?__proto__[a]=1',
  ],
  ...['?from=2026-02-30', '?limit=1&limit=2', '?state=%27', '?after=%E2%80%AE', `?q=${'a'.repeat(4_000)}`, '?:id=1'],
]

/** Mostly the route's own. */
const METHODS = [...Array.from({ length: 40 }, () => null), 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']

export const mutationOf = (routes: number): fc.Arbitrary<Mutation> =>
  fc.record({
    route: fc.nat(routes - 1),
    actor: fc.constantFrom(...ACTOR_NAMES),
    ids: fc.constantFrom('own', 'own', 'foreign', 'foreign', 'random', 'broken'),
    body: fc.constantFrom(
      'valid',
      'valid',
      'foreign',
      'scalar',
      'scalar',
      'scalar',
      'key',
      'cut',
      'text',
      'deep',
      'none',
    ),
    forgery: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'token', 'origin', 'site', 'type'),
    query: fc.constantFrom(...QUERIES),
    at: fc.nat(1_000),
    value: fc.nat(HOSTILE.length - 1),
    workspace: fc.constantFrom('own', 'own', 'own', 'foreign'),
    method: fc.constantFrom(...METHODS),
  })

export interface FuzzRequest {
  path: string
  init: { method: string; body?: string; headers: Record<string, string> }
  /** Whether a page of ours could not have sent it. */
  forged: boolean
  /** Whether the path names a thing of the other workspace. */
  namesForeign: boolean
}

const samples = new WeakMap<RouteEntry, Sample | null>()
/** A body that the route's schema describes; null for routes without one. */
function sampleFor(route: RouteEntry): Sample | null {
  const known = samples.get(route)
  if (known !== undefined) return known
  const declared = route.schemas.find(({ target, schema }) => target === 'json' && schema)
  const sample = declared?.schema ? sampleOf(declared.schema) : null
  samples.set(route, sample)
  return sample
}

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % from.length]
const randomIds = (): ResourceIds =>
  Object.fromEntries(Object.entries(ID_OF).map(([part, kind]) => [part, newIdOf(kind)]))
const brokenIds = (at: number): ResourceIds =>
  Object.fromEntries(Object.keys(ID_OF).map((part) => [part, pick(BROKEN_IDS, at) ?? 'x']))

/** The request that a mutation makes of a route. */
export function requestOf(world: AttackSetting, route: RouteEntry, mutation: Mutation): FuzzRequest {
  const { ids, forgery, actor } = mutation
  const { own, foreign } = world
  const named = { own, foreign, random: randomIds(), broken: brokenIds(mutation.at) }[ids]
  const path = pathWith(route.path, named)
  const method = mutation.method ?? route.method
  const body = method === 'POST' || method === 'PUT' ? bodyOf(world, route, mutation) : undefined
  return {
    path: `${path}${mutation.query}`,
    init: {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(mutation.workspace === 'foreign' ? { 'x-workspace': world.foreignWorkspace } : {}),
        ...FORGERIES[forgery],
      },
    },
    forged: forgery === 'token' || forgery === 'origin' || forgery === 'site',
    namesForeign: ids === 'foreign' && route.path.includes('/:id') && actor !== 'staff',
  }
}

const FORGERIES: Record<Mutation['forgery'], Record<string, string>> = {
  none: {},
  token: { 'x-csrf-token': 'f'.repeat(64) },
  origin: { origin: 'https://evil.example' },
  site: { 'sec-fetch-site': 'cross-site' },
  type: { 'content-type': 'text/plain' },
}

function bodyOf(world: AttackSetting, route: RouteEntry, { body, at, value }: Mutation): string | undefined {
  const sample = sampleFor(route)
  if (body === 'none') return undefined
  if (!sample || body === 'text') return pick(['{}', 'null', '[]', '7', '"x"', '{"a":', '\u0000'], at)
  const text = JSON.stringify(sample.value)
  if (body === 'cut') return text.slice(0, at % Math.max(1, text.length))
  if (body === 'deep') return `{"name":${'['.repeat(500)}${']'.repeat(500)}}`
  if (body === 'key')
    return text.replace(/^\{/, '{"__proto__":{"role":"owner"},"workspaceId":"x",').replace(/,\}$/, '}')
  const place: Path | undefined = pick(sample.scalars, at)
  if (body === 'scalar' && place) return JSON.stringify(replaceAt(sample.value, place, HOSTILE[value]))
  const ids = body === 'foreign' ? world.foreign : world.own
  const strings = sample.scalars.filter((one) =>
    /id$|dataset|metric|insight|group|upload|category/i.test(String(one.at(-1))),
  )
  return JSON.stringify(strings.reduce((whole, one) => replaceAt(whole, one, idFor(one, ids) ?? 'text'), sample.value))
}

/** The id that a field of this name would hold. */
function idFor(path: Path, ids: ResourceIds): string | undefined {
  const name = path.findLast((part) => typeof part === 'string' && part !== 'id')
  const part = Object.keys(ids).find((one) => one.startsWith(String(name ?? '').replace(/Ids?$/, '')))
  return name === 'dataset' || name === 'datasetId' ? ids['loaded'] : part && ids[part]
}
