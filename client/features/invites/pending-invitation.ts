import { linkTokenSchema } from '../../../src/shared/account'

/** An invitation on its way through sign-in or registration: kept in this tab only, and only until it is used. */
export interface PendingInvitation {
  token: string
  /** The invited address, once it is known: it is filled in for the person. */
  email: string | null
}
const STORAGE_KEY = 'invitation'
export const INVITATION_PATH = '/invitation'

export function storeInvitation(kept: PendingInvitation): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
}

export function readInvitation(): PendingInvitation | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('token' in kept)) return null
    const token = linkTokenSchema.safeParse(kept.token)
    if (!token.success) return null
    return { token: token.data, email: 'email' in kept && typeof kept.email === 'string' ? kept.email : null }
  } catch {
    return null
  }
}

export const clearInvitation = (): void => sessionStorage.removeItem(STORAGE_KEY)

/** The invited address for the sign-in page that leads back to the invitation; undefined on every other way. */
export const invitedEmailFor = (returnTo: string | undefined): string | undefined =>
  returnTo === INVITATION_PATH ? (readInvitation()?.email ?? undefined) : undefined
