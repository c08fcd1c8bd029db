import { z } from 'zod'
import { readBodyText } from '../../http/validate'
import { parseDsn, type Dsn } from '../../monitoring/dsn'
import { envelopeHeaders } from '../../monitoring/reporter'
import { operatorFetch, type Fetcher } from '../../outbound/operator-fetch'
import { ProductError } from '../../shared/errors'

const ENVELOPE_MAX_BYTES = 1024 * 1024
/** Headers of the answer that the browser's library reads. */
const FORWARDED_HEADERS = ['x-sentry-rate-limits', 'retry-after']
const headerSchema = z.object({ dsn: z.string().max(500) })

/** The project that an envelope names in its first line, or null when that line cannot be read. */
function envelopeDsn(envelope: string, orgId: string): Dsn | null {
  const end = envelope.indexOf('\n')
  const line = end === -1 ? envelope : envelope.slice(0, end)
  try {
    const header = headerSchema.safeParse(JSON.parse(line))
    return header.success ? parseDsn(header.data.dsn, orgId) : null
  } catch {
    return null
  }
}

const sameProject = (a: Dsn, b: Dsn): boolean =>
  a.origin === b.origin && a.projectId === b.projectId && a.publicKey === b.publicKey && a.orgId === b.orgId

/** Sends an envelope on when it names exactly the configured project; nothing else of the request travels. */
export async function forwardEnvelope(request: Request, dsn: Dsn, fetcher?: Fetcher): Promise<Response> {
  const envelope = await readEnvelope(request)
  if (envelope instanceof Response) return envelope
  const envelopeProject = envelopeDsn(envelope, dsn.orgId)
  if (!envelopeProject) return new Response(null, { status: 400 })
  if (!sameProject(envelopeProject, dsn)) return new Response(null, { status: 403 })
  const endpoint = { origin: dsn.origin, headers: envelopeHeaders(dsn) }
  const path = `/api/${dsn.projectId}/envelope/`
  const answer = await operatorFetch(endpoint, { path, method: 'POST', body: envelope }, fetcher).catch(() => null)
  if (!answer) return new Response(null, { status: 429, headers: { 'retry-after': '60' } })
  const headers = new Headers()
  for (const name of FORWARDED_HEADERS) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  // A redirect or a fault of the ingest server is nothing the browser can act on.
  return new Response(null, { status: answer.status === 429 ? 429 : 200, headers })
}

async function readEnvelope(request: Request): Promise<string | Response> {
  try {
    return await readBodyText(request, ENVELOPE_MAX_BYTES)
  } catch (error) {
    if (error instanceof ProductError && error.code === 'too_large') return new Response(null, { status: 413 })
    throw error
  }
}
