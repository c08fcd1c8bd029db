import { shiftToPresent } from './time-shift.ts'
import type { EventRecord, State } from './state.ts'
import type { Simulation } from './simulation.ts'

/** The library's version; a real account's events carry the version of its endpoint. */
export const API_VERSION = '2026-10-28.endive'
const MINUTE = 60
/** Seconds after each attempt that failed. */
const BACKOFF = [5, 30, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 180 * MINUTE, 360 * MINUTE, 720 * MINUTE]

/** What its endpoint is subscribed to; everything else is only listed. */
const DELIVERED = /^(checkout\.session|customer|invoice|subscription_schedule)\./

/** Notes that something happened, with the object as it is now, and orders its delivery. */
export function emit(simulation: Simulation, type: string, object: object, previous: object | null = null): void {
  const event: EventRecord = {
    id: simulation.id('evt', 24),
    created: simulation.now(),
    type,
    object: structuredClone(object),
    previous,
    request: simulation.at === null ? simulation.request : { id: null, idempotency_key: null },
  }
  simulation.state.events.push(event)
  if (!DELIVERED.test(type)) return
  simulation.state.deliveries.push({ event: event.id, attempts: 0, next: simulation.now(), done: false })
}

/** Runs a change and, when it changed what is told of the object, says so with what it was before. */
export function emitOnChange<T>(
  simulation: Simulation,
  type: string,
  { tell, change }: { tell: () => object; change: () => T },
): T {
  const before = structuredClone(tell())
  const result = change()
  const after = tell()
  const now = new Map<string, unknown>(Object.entries(after))
  const previous = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name)),
  )
  if (previous.length > 0) emit(simulation, type, after, Object.fromEntries(previous))
  return result
}

/** The event as it is sent and listed. */
export const eventBody = (simulation: Simulation, event: EventRecord) =>
  shiftToPresent(
    {
      id: event.id,
      object: 'event',
      api_version: API_VERSION,
      created: event.created,
      data: { object: event.object, ...(event.previous ? { previous_attributes: event.previous } : {}) },
      livemode: simulation.options.livemode,
      pending_webhooks: simulation.state.deliveries.some((one) => one.event === event.id && !one.done) ? 1 : 0,
      request: event.request,
      type: event.type,
    },
    simulation.state.ahead,
  )

export interface Webhook {
  url: string
  secret: string
  send: (request: Request) => Promise<Response>
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The signature header of a body: `t=…,v1=…`. */
export async function signatureHeader(body: string, secret: string, seconds: number): Promise<string> {
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(`${seconds}.${body}`))
  return `t=${seconds},v1=${hex(signature)}`
}

/** The request by which an event is delivered, signed now by the real clock. */
export async function signedRequest(simulation: Simulation, webhook: Webhook, event: object): Promise<Request> {
  const body = JSON.stringify(event, null, 2)
  const seconds = Math.floor(simulation.options.now() / 1000)
  return new Request(webhook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': await signatureHeader(body, webhook.secret, seconds),
    },
    body,
  })
}

/** Which events are due, in the order of the mode. */
function dueDeliveries(simulation: Simulation): State['deliveries'] {
  const { deliveries, webhooks } = simulation.state
  if (webhooks === 'hold') return []
  const due = deliveries.filter((one) => !one.done && one.attempts <= BACKOFF.length && one.next <= simulation.clock())
  if (webhooks === 'duplicates') return due.flatMap((one) => [one, one])
  if (webhooks === 'ordered') return due
  const keyed = due.map((one) => ({ one, key: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0 }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ one }) => one)
}

/** Hands over what waits, each once; what was not answered with a 2xx is tried again after a while. */
export async function deliver(simulation: Simulation, webhook: Webhook): Promise<void> {
  const byId = new Map(simulation.state.events.map((event) => [event.id, event]))
  for (const delivery of dueDeliveries(simulation)) {
    const event = byId.get(delivery.event)
    if (event === undefined) continue
    const ok = await attemptDelivery(simulation, webhook, event)
    delivery.attempts += 1
    delivery.done ||= ok
    delivery.next = simulation.clock() + (BACKOFF[delivery.attempts - 1] ?? 0)
  }
}

async function attemptDelivery(simulation: Simulation, webhook: Webhook, event: EventRecord): Promise<boolean> {
  try {
    const response = await webhook.send(await signedRequest(simulation, webhook, eventBody(simulation, event)))
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
