import { SourceError } from './contract'
import { DoorError, type DoorResponse } from '../outbound/doors'

const SECOND_MS = 1000
/** Whatever a source says: longer than this it is not waited for. */
export const WAIT_MAX_MS = 60 * 60 * 1000

/**
 * What a door's refusal means for a source, in words; anything else is passed on as it is. `title` is what the source is
 * called, as a vendor or a host.
 */
export function sourceErrorOf(error: unknown, title: string): unknown {
  if (!(error instanceof DoorError)) return error
  const retry = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
  switch (error.reason) {
    case 'timeout':
      return new SourceError('timeout', {
        message: `${title} didn’t answer in time.`,
        mend: 'We’ll try again. Check the address, and that a firewall lets us in.',
        ...retry,
      })
    case 'too_large':
      return new SourceError('too_large', {
        message: `${title} sent more than we can read at once.`,
        mend: 'Split the data or choose fewer streams.',
      })
    case 'not_allowed':
      return new SourceError('down', {
        message: `${title} isn’t at a public address.`,
        mend: 'Enter an address that is reachable from the internet.',
      })
    case 'busy':
      return new SourceError('down', {
        message: `${title} allows no more calls at the moment.`,
        mend: 'We’ll go on when there is room.',
        ...retry,
      })
    case 'down':
      return new SourceError('down', {
        message: `Couldn’t reach ${title.replace(/^The /, 'the ')}.`,
        mend: 'Check the address and that the server is running.',
        ...retry,
      })
  }
}

/** How long an answer asks us to wait (`Retry-After` in seconds or as a date), ms; undefined where it does not say. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const wait = /^\d{1,6}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.min(WAIT_MAX_MS, Math.max(0, wait))
}

/** Throws what a status that is no success means. Its body is read by nobody. */
export function assertAnswered(response: Pick<DoorResponse, 'status' | 'headers'>, title: string, now: number): void {
  const { status } = response
  if (status >= 200 && status < 300) return
  const retryAfterMs = retryAfterOf(response.headers, now)
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status === 401 || status === 403)
    throw new SourceError('auth', {
      message: `${title} refused our sign-in (${status}).`,
      mend: 'Enter the credentials again and check their rights.',
    })
  if (status === 404 || status === 410)
    throw new SourceError('down', {
      message: `${title} has nothing at this address (${status}).`,
      mend: 'Check the address or the name.',
    })
  if (status === 413)
    throw new SourceError('too_large', {
      message: `${title} refused a call as too large.`,
      mend: 'Choose fewer streams.',
    })
  if (status === 408 || status === 504)
    throw new SourceError('timeout', {
      message: `${title} didn’t answer in time (${status}).`,
      mend: 'We’ll try again.',
    })
  if (status === 429)
    throw new SourceError('down', {
      message: `${title} allows no more calls at the moment.`,
      mend: 'We’ll go on when there is room.',
      ...retry,
    })
  throw new SourceError('down', {
    message: `${title} answered with an error (${status}).`,
    mend: 'We’ll try again. If it keeps failing, check the server.',
    ...retry,
  })
}
