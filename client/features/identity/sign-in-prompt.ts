/**
 * One question at a time, however many calls met a dead session: they all wait for the same answer and are repeated
 * after it, or refused together when the person closes the sheet.
 */
let pendingRequest: { answer: Promise<boolean>; settle: (repeat: boolean) => void } | null = null
const listeners = new Set<() => void>()
const notifyListeners = () => listeners.forEach((listener) => listener())

/** Opens the sheet; resolves true when the calls should be made again. */
export function requestSignIn(): Promise<boolean> {
  if (pendingRequest) return pendingRequest.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  pendingRequest = { answer: promise, settle: resolve }
  notifyListeners()
  return promise
}

function settleRequest(repeat: boolean): void {
  pendingRequest?.settle(repeat)
  pendingRequest = null
  notifyListeners()
}

/** Signed in again, here or in another tab. */
export const resolveSignIn = (): void => settleRequest(true)
/** The person closed the sheet. */
export const dismissSignIn = (): void => settleRequest(false)

export const isSignInRequested = (): boolean => pendingRequest !== null
export function subscribeToSignInRequest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
