import { SourceError, type ConnectorContext } from './contract'
import { assertAnswered, retryAfterOf, sourceErrorOf } from './failures'
import type { DoorResponse, OperatorCall } from '../outbound/doors'

/** The vendor does not let us in any more: only its owner can mend that. */
export const accessLost = (vendor: string): SourceError =>
  new SourceError('auth', { message: `${vendor} no longer accepts our access.`, mend: 'Reconnect.' })

/** What a vendor answered is not what its documentation says. */
export const unexpectedAnswer = (vendor: string): SourceError =>
  new SourceError('down', {
    message: `${vendor} sent an incomplete or unexpected answer.`,
    mend: 'We’ll try again.',
    retryAfterMs: 5_000,
  })

/** A vendor's own reading of a status; undefined: as for any other source. */
export type StatusReading = (response: DoorResponse) => SourceError | undefined

/**
 * A call to a vendor's address, whose failures are said in words. 401 means that its access is lost; 429 without a word about
 * when, that its window of `windowMs` is to pass.
 */
export async function callVendor(
  context: ConnectorContext,
  call: OperatorCall,
  { vendor, windowMs, read }: { vendor: string; windowMs: number; read?: StatusReading },
): Promise<DoorResponse> {
  const response = await context.doors.operator(call).catch((error: unknown) => {
    throw sourceErrorOf(error, vendor)
  })
  if (response.status >= 200 && response.status < 300) return response
  const own = read?.(response)
  await response.body.cancel().catch(() => undefined)
  if (own) throw own
  if (response.status === 401) throw accessLost(vendor)
  if (response.status === 429)
    throw new SourceError('down', {
      message: `${vendor} allows no more calls at the moment.`,
      mend: 'We’ll go on when there is room.',
      retryAfterMs: retryAfterOf(response.headers, context.clock.now()) ?? windowMs,
    })
  assertAnswered(response, vendor, context.clock.now())
  return response
}

/** The body as JSON. @throws SourceError where it breaks off or is none */
export async function jsonOf(response: DoorResponse, vendor: string): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw sourceErrorOf(error, vendor)
  })
  try {
    const parsed: unknown = JSON.parse(text)
    return parsed
  } catch {
    throw unexpectedAnswer(vendor)
  }
}
