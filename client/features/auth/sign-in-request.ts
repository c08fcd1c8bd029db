/**
 * One question at a time, however many calls met a dead session: they all wait for the same answer and are repeated
 * after it, or refused together when the person closes the sheet.
 */
let waiting: { answer: Promise<boolean>; settle: (repeat: boolean) => void } | null = null
const listeners = new Set<() => void>()
const changed = () => listeners.forEach((listener) => listener())

/** Opens the sheet; resolves true when the calls should be made again. */
export function askForSignIn(): Promise<boolean> {
  if (waiting) return waiting.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting = { answer: promise, settle: resolve }
  changed()
  return promise
}

function close(repeat: boolean): void {
  waiting?.settle(repeat)
  waiting = null
  changed()
}

/** Signed in again, here or in another tab. */
export const signInReached = (): void => close(true)
/** The person closed the sheet. */
export const signInGivenUp = (): void => close(false)

export const isWaitingForSignIn = (): boolean => waiting !== null
export function onSignInRequest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
