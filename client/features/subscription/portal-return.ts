import { session } from '../../lib/session'

const KEY = 'payment-portal'

/** Remembers in this tab that the payment portal is open: whatever is done there, billing is asked on the way back. */
export const leaveForPortal = (): void => sessionStorage.setItem(KEY, session().workspace?.id ?? '')

/** Whether this workspace's portal was opened from this tab. */
export const isBackFromPortal = (): boolean => sessionStorage.getItem(KEY) === session().workspace?.id
export const forgetPortal = (): void => sessionStorage.removeItem(KEY)
