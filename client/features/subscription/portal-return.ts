import { session } from '../../lib/session'

const PORTAL_STORAGE_KEY = 'payment-portal'

/** Remembers in this tab that the payment portal is open: whatever is done there, billing is asked on the way back. */
export const markPortalOpened = (): void => sessionStorage.setItem(PORTAL_STORAGE_KEY, session().workspace?.id ?? '')

/** Whether this workspace's portal was opened from this tab. */
export const isReturningFromPortal = (): boolean =>
  sessionStorage.getItem(PORTAL_STORAGE_KEY) === session().workspace?.id
export const clearPortalMark = (): void => sessionStorage.removeItem(PORTAL_STORAGE_KEY)
