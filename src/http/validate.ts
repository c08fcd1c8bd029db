import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { AppEnv } from './context'
import { replayPreviousReply } from './idempotency'
import { concatBytes } from '../lib/concat-bytes'
import { ProductError } from '../shared/errors'
import { isId, type IdKind } from '../shared/ids'
import { JSON_BODY_DEADLINE_MS, JSON_BODY_MAX_BYTES, JSON_DEPTH_MAX } from '../shared/limits'

/** The schema a route declares; generated documents and the mutation tests read it from the route table. */
export interface SchemaDeclaration {
  target: 'json' | 'query' | 'none' | 'signed'
  schema: z.ZodType | null
}
type Validator<V extends object> = MiddlewareHandler<AppEnv, string, V> & { declares: SchemaDeclaration }

function fieldErrorsOf(error: z.ZodError): Record<string, string> {
  // A map, because a key may be called `__proto__`.
  const fields = new Map<string, string>()
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null]
    for (const key of keys) {
      const path = [...issue.path, ...(key === null ? [] : [key])].map(String).join('.').slice(0, 200)
      if (!fields.has(path)) fields.set(path, key === null ? issue.message : 'Unknown field.')
    }
  }
  return Object.fromEntries(fields)
}

/** Parses with a schema or throws `invalid_input` with a sentence beside each field. */
function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ProductError('invalid_input', { fields: fieldErrorsOf(parsed.error) })
  return parsed.data
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (nestingDepth(text) > JSON_DEPTH_MAX)
      throw new ProductError('invalid_input', { fields: { '': `Nested more than ${JSON_DEPTH_MAX} levels deep.` } })
    return value
  } catch (cause) {
    if (cause instanceof ProductError) throw cause
    throw new ProductError('bad_request', {}, 'The body is not readable JSON.', { cause })
  }
}

/** How deep arrays and objects of a JSON text go. Schemas walk their input recursively: the stack must hold it. */
function nestingDepth(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === ']' || token === '}') depth -= 1
  }
  return deepest
}

/** The body as text, counted while it streams: a false Content-Length changes nothing. */
export const readBodyText = async (request: Request, maxBytes: number): Promise<string> =>
  new TextDecoder().decode(await readBodyBytes(request, { maxBytes, what: 'body', deadlineMs: JSON_BODY_DEADLINE_MS }))

/**
 * A body of JSON whose form its reader checks; undefined when it is empty.
 * @throws ProductError `bad_request`, `invalid_input` when it is nested too deeply, `too_large`
 */
export const readJsonText = async (request: Request, maxBytes: number): Promise<unknown> =>
  parseJson(await readBodyText(request, maxBytes))

/**
 * The body's bytes, at most `maxBytes` of them, within `deadlineMs`.
 * @throws ProductError `too_large` of `what`; `bad_request` when the time is over
 */
export async function readBodyBytes(
  request: Request,
  { maxBytes, what, deadlineMs }: { maxBytes: number; what: 'body' | 'file'; deadlineMs?: number },
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  if (deadlineMs === undefined) return readChunks(reader, { maxBytes, what })
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ProductError('bad_request', {}, 'The body took too long to arrive.'))
      reader.cancel().catch(() => {})
    }, deadlineMs)
  })
  try {
    return await Promise.race([readChunks(reader, { maxBytes, what }), late])
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, what }: { maxBytes: number; what: 'body' | 'file' },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw new ProductError('too_large', { what, max: maxBytes })
    }
    chunks.push(value)
  }
  return concatBytes(chunks)
}

/** Fields whose values are passwords. */
const PASSWORD_FIELDS = ['password', 'current', 'next', 'passcode']
/** Whether a body of this schema may hold a password. */
const holdsPassword = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && PASSWORD_FIELDS.some((field) => field in schema.shape)

/**
 * The JSON body of this route, at most `maxBytes` of it. Unknown keys, and objects where scalars belong, answer 422. The
 * answer to a body that may hold a password is not kept, nor is a hash of that body.
 */
export function jsonBody<S extends z.ZodType>(
  schema: S,
  maxBytes = JSON_BODY_MAX_BYTES,
): Validator<{ in: { json: z.input<S> }; out: { json: z.output<S> } }> {
  const isKept = !holdsPassword(schema)
  const handler: MiddlewareHandler<AppEnv, string, { in: { json: z.input<S> }; out: { json: z.output<S> } }> = async (
    c,
    next,
  ) => {
    const text = await readBodyText(c.req.raw, maxBytes)
    const earlier = isKept ? await replayPreviousReply(c, text) : null
    if (earlier) return earlier
    const data: unknown = parseWith(schema, parseJson(text))
    c.req.addValidatedData('json', Object(data))
    return next()
  }
  return Object.assign(handler, { declares: { target: 'json', schema } satisfies SchemaDeclaration })
}

/** The query string of this route, strict. The keys `w` (workspace of header-less requests) are taken out before. */
export function queryString<S extends z.ZodType>(
  schema: S,
): Validator<{ in: { query: z.input<S> }; out: { query: z.output<S> } }> {
  const handler: MiddlewareHandler<AppEnv, string, { in: { query: z.input<S> }; out: { query: z.output<S> } }> = async (
    c,
    next,
  ) => {
    // A DELETE says everything here, so this is where its earlier answer is found.
    const earlier = c.req.method === 'DELETE' ? await replayPreviousReply(c, '') : null
    if (earlier) return earlier
    const given: Record<string, string> = {}
    for (const [key, value] of new URL(c.req.url).searchParams) {
      if (key === 'w') continue
      if (key in given) throw new ProductError('invalid_input', { fields: { [key.slice(0, 200)]: 'Given twice.' } })
      given[key] = value
    }
    const data: unknown = parseWith(schema, given)
    c.req.addValidatedData('query', Object(data))
    return next()
  }
  return Object.assign(handler, { declares: { target: 'query', schema } satisfies SchemaDeclaration })
}

/** A write that carries nothing: an empty body or `{}`. */
export function noBody(): MiddlewareHandler<AppEnv> & { declares: SchemaDeclaration } {
  const handler: MiddlewareHandler<AppEnv> = async (c, next) => {
    const text = await readBodyText(c.req.raw, JSON_BODY_MAX_BYTES)
    const earlier = await replayPreviousReply(c, text)
    if (earlier) return earlier
    const value = parseJson(text)
    const empty =
      value === undefined ||
      (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0)
    if (!empty) throw new ProductError('invalid_input', { fields: { '': 'This call takes no body.' } })
    return next()
  }
  return Object.assign(handler, { declares: { target: 'none', schema: null } satisfies SchemaDeclaration })
}

/** A body that its signature vouches for: the route reads it, byte by byte as it came. */
export const signedBody = (): MiddlewareHandler<AppEnv> & { declares: SchemaDeclaration } => {
  const handler: MiddlewareHandler<AppEnv> = (_c, next) => next()
  return Object.assign(handler, { declares: { target: 'signed', schema: null } satisfies SchemaDeclaration })
}

/** An id from a path. A malformed one answers as a foreign one does. */
export function pathId(kind: IdKind, text: string): string {
  if (!isId(kind, text)) throw new ProductError('not_found')
  return text
}
