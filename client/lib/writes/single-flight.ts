/** Ms after a write's success in which the same write once more is the second half of a double click. */
export const DOUBLE_CLICK_MS = 500

interface Flight {
  key: string
  answer: Promise<Response>
  /** When it succeeded, in ms; null while it is under way. */
  doneAt: number | null
}

/** Writes under way, and the last one that succeeded: any other write in between makes a repetition one of its own. */
const underWay = new Map<string, Flight>()
let last: Flight | null = null

/** Ms in which the same write, tried again after silence, is still the first one. */
export const UNANSWERED_MS = 5 * 60_000

interface Unanswered {
  idempotencyKey: string
  /** What it writes to. */
  path: string
  /** When the silence was noticed, in ms. */
  at: number
}
/**
 * Writes that got no answer: the server may have them. Another write that succeeds in between makes them ones of their own, and so
 * does one to the same place that got no answer either: the server may have undone by it what it did by the first.
 */
const unanswered = new Map<string, Unanswered>()

const isRepeated = (flight: Flight | null | undefined, key: string, now: number): flight is Flight =>
  flight?.key === key && (flight.doneAt === null || now - flight.doneAt < DOUBLE_CLICK_MS)

/** Whether a call is a write of a person: neither a read nor one that can be cancelled (a question, whose answer may differ a moment later). */
export function isWrite({ method = 'GET', signal }: RequestInit): boolean {
  return !['GET', 'HEAD'].includes(method.toUpperCase()) && !signal
}

/** What tells one write from another; null for what is no write of a person, or carries no text. */
function writeKey(input: RequestInfo | URL, init: RequestInit, workspace: string | undefined): string | null {
  if (!isWrite(init)) return null
  const { body } = init
  if (body !== undefined && body !== null && typeof body !== 'string') return null
  return [init.method?.toUpperCase(), input instanceof Request ? input.url : input.toString(), workspace, body].join(
    '\n',
  )
}

/**
 * Whether the same write once more right after the first means the first: it writes a stated value. A call without one (asking
 * billing again) means what it says each time.
 */
const statesValue = ({ method, body, headers }: RequestInit): boolean =>
  method?.toUpperCase() !== 'POST' || (Boolean(body) && new Headers(headers).has('idempotency-key'))

export interface WriteOptions {
  workspace: string | undefined
  send: (init: RequestInit) => Promise<Response>
  /** Whether the server said no: it has written nothing then. */
  isRefusal: (error: unknown) => boolean
  now?: () => number
}

/**
 * Makes one write of a double click: the same write while one is under way, or right after it succeeded, gets the answer of
 * the first. A refusal is not remembered, so that trying again tries again. After silence, trying again goes under the key of
 * the first: if the server had that one, it says so and writes nothing more.
 */
export async function singleFlight(
  input: RequestInfo | URL,
  init: RequestInit,
  { now = Date.now, ...options }: WriteOptions,
): Promise<Response> {
  const key = writeKey(input, init, options.workspace)
  if (key === null) return options.send(init)
  const earlier = [underWay.get(key), last].find((flight) => isRepeated(flight, key, now()))
  const flight = earlier ?? takeOff(key, () => sendUnderOneKey({ key, path: pathOf(input) }, init, { ...options, now }))
  const answer = await flight.answer.finally(() => {
    if (underWay.get(key) !== flight) return
    underWay.delete(key)
    flight.doneAt = now()
  })
  if (flight.doneAt !== null && statesValue(init)) last = flight
  return answer.clone()
}

function takeOff(key: string, send: () => Promise<Response>): Flight {
  const flight: Flight = { key, answer: send(), doneAt: null }
  underWay.set(key, flight)
  last = null
  return flight
}

const pathOf = (input: RequestInfo | URL): string =>
  new URL(input instanceof Request ? input.url : input.toString(), 'http://any.invalid').pathname

/** Whether one path is that of the other or of a part of it: `/api/reports/1` and `/api/reports/1/restore`. */
const isSamePlace = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || other.startsWith(`${one}/`)

/** Forgets what another write to this place ends, and what is too old. */
function forgetUnanswered(key: string, path: string, now: number): void {
  for (const [other, { path: of, at }] of unanswered)
    if (now - at >= UNANSWERED_MS || (other !== key && isSamePlace(of, path))) unanswered.delete(other)
}

/** The write under the idempotency key of its first try, where that one got no answer. */
async function sendUnderOneKey(
  { key, path }: { key: string; path: string },
  init: RequestInit,
  { send, isRefusal, now }: Required<WriteOptions>,
): Promise<Response> {
  const headers = new Headers(init.headers)
  forgetUnanswered(key, path, now())
  const before = unanswered.get(key)
  const isAgain = before !== undefined && statesValue(init)
  const idempotencyKey = isAgain ? before.idempotencyKey : headers.get('idempotency-key')
  if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey)
  try {
    const answer = await send({ ...init, headers })
    if (!unanswered.delete(key)) unanswered.clear()
    return answer
  } catch (error) {
    // A refusal may come before the server looks whether it has the first (too many calls, a session that ended): that keeps its key.
    if (!isRefusal(error) && idempotencyKey !== null) unanswered.set(key, { idempotencyKey, path, at: now() })
    throw error
  }
}

/** Another person, or another test: nothing written before is a first half any more. */
export function forgetWrites(): void {
  underWay.clear()
  unanswered.clear()
  last = null
}
