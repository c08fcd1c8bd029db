/** What an object ran into by its own doing: it would again. */
const OWN_DOING = /exceeded (its|the) (memory|CPU|storage)/i

const flagOf = (error: unknown, flag: 'retryable' | 'overloaded'): boolean =>
  error instanceof Error && Reflect.get(error, flag) === true

/** Whether an object of the platform did not answer for now: it has too much to do, is moving, or was lost on the way. */
export const isObjectUnavailable = (error: unknown): boolean =>
  flagOf(error, 'overloaded') || flagOf(error, 'retryable')

/** Whether the same call may be answered a moment later. One that has too much to do is not given more. */
const isWorthRetry = (error: unknown): boolean =>
  flagOf(error, 'retryable') && !flagOf(error, 'overloaded') && !OWN_DOING.test(String(error))

const ATTEMPTS_MAX = 3
const WAIT_MS = 100

/** Between the attempts of a call. */
export interface RetryPause {
  wait: (ms: number) => Promise<unknown>
  /** From 0 up to 1: callers that were lost together do not come back together. */
  random: () => number
}

/** Asks what changes nothing up to three times while the object is moving; `ask` reaches for it anew each time. */
export async function withRetry<T>(ask: () => Promise<T>, { wait, random }: RetryPause): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await ask()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isWorthRetry(error)) throw error
      await wait(WAIT_MS * 2 ** (attempt - 1) * (0.5 + random()))
    }
}
