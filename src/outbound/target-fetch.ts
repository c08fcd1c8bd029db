import { boundedResponse } from './bounded-response'
import { DoorError, type DoorResponse, type TargetCall } from './doors'
import type { Fetcher } from './operator-fetch'
import { resolvePublic, type Resolver } from './resolve-name'
import { checkUrl, type TargetRules } from './target-rules'

export const TARGET_MAX_BYTES = 50 * 1024 * 1024
export const TARGET_DEADLINE_MS = 30_000
const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that say nothing of who calls: all others stay behind when a redirect leads to another origin. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'if-none-match', 'if-modified-since', 'range'])

export interface TargetNetwork {
  rules: TargetRules
  resolve: Resolver
  /** Stands in for the network in tests; absent = the platform's fetch. */
  fetcher: Fetcher | undefined
}

/** Headers of a body, which go with it (https://fetch.spec.whatwg.org/#request-body-header-name). */
const BODY_HEADERS = new Set(['content-encoding', 'content-language', 'content-location', 'content-type'])

type CallHeaders = Readonly<Record<string, string>>
const onlyHeaders = (headers: CallHeaders, keeps: (name: string) => boolean): CallHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keeps(name.toLowerCase())))

/** What the next hop is sent: a write becomes a read where the answer says so, and another origin learns nothing. */
function redirected(call: TargetCall, response: Response, url: URL): TargetCall {
  const location = response.headers.get('location')
  if (location === null || !URL.canParse(location, url.href)) throw new DoorError('down')
  const next = new URL(location, url.href)
  const isSameOrigin = next.origin === url.origin
  const keepsMethod = response.status === 307 || response.status === 308 || (call.method ?? 'GET') !== 'POST'
  // A body may hold a secret as well as a header.
  if (!isSameOrigin && keepsMethod && call.body !== undefined) throw new DoorError('not_allowed')
  const { body, headers = {}, ...rest } = call
  const keeps = (name: string): boolean =>
    isSameOrigin ? keepsMethod || !BODY_HEADERS.has(name) : HARMLESS_HEADERS.has(name)
  return {
    ...rest,
    url: next.href,
    method: keepsMethod ? (call.method ?? 'GET') : 'GET',
    headers: onlyHeaders(headers, keeps),
    ...(keepsMethod && body !== undefined ? { body } : {}),
  }
}

async function send(call: TargetCall, url: URL, signal: AbortSignal, fetcher: Fetcher | undefined): Promise<Response> {
  const { method = 'GET', headers = {}, body } = call
  try {
    const request = new Request(url, {
      method,
      headers: { 'user-agent': 'Insikt', ...headers },
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    })
    return await (fetcher ?? ((asked: Request) => fetch(asked)))(request)
  } catch (error) {
    throw new DoorError(signal.aborted ? 'timeout' : 'down', { cause: error })
  }
}

/**
 * The door to what a person entered: https to public addresses only. Every hop is checked again right before it is called;
 * between the check and the platform's own resolution a name may still change, which `global_fetch_strictly_public` covers.
 * @throws DoorError
 */
export async function targetFetch(network: TargetNetwork, asked: TargetCall): Promise<DoorResponse> {
  const deadline = AbortSignal.timeout(asked.deadlineMs ?? TARGET_DEADLINE_MS)
  let call = asked
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const { url, target } = checkUrl(call.url, network.rules)
    await inTime(resolvePublic(target, network.resolve), deadline)
    const response = await inTime(send(call, url, deadline, network.fetcher), deadline)
    if (!REDIRECTS.has(response.status))
      return boundedResponse(response, url.href, { maxBytes: asked.maxBytes ?? TARGET_MAX_BYTES, signal: deadline })
    response.body?.cancel().catch(() => undefined)
    call = redirected(call, response, url)
  }
  throw new DoorError('not_allowed')
}

/** @throws DoorError `timeout` when the signal comes first: a stand-in may not listen to it */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(new DoorError('timeout'))
    else signal.addEventListener('abort', () => reject(new DoorError('timeout')), { once: true })
  })
  return Promise.race([work, over])
}
