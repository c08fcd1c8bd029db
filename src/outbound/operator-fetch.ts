/** The signature of the platform's fetch, for stand-ins in tests. */
export type Fetcher = (request: Request) => Promise<Response>

const DEADLINE_MS = 10_000

export interface OperatorEndpoint {
  /** Origin fixed by the installation's configuration, never by a request. */
  origin: string
  /** Headers to send; nothing of the caller's request travels along. */
  headers: Record<string, string>
}

/**
 * The door to endpoints that the operator configured (monitoring, identity providers, billing …): one origin,
 * own headers only, no redirects, a deadline.
 * @throws when the path leads to another origin, or the endpoint does not answer in time.
 */
export async function operatorFetch(
  endpoint: OperatorEndpoint,
  call: { path: string; method: 'GET' | 'POST' | 'DELETE'; body?: BodyInit },
  fetcher: Fetcher = (request) => fetch(request),
): Promise<Response> {
  const url = new URL(call.path, endpoint.origin)
  if (url.origin !== endpoint.origin) throw new Error(`outside the configured endpoint: ${url.origin}`)
  return fetcher(
    new Request(url, {
      method: call.method,
      headers: endpoint.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(call.body === undefined ? {} : { body: call.body }),
    }),
  )
}
