import { SessionExpiredDialog } from '../features/auth/sign-in-sheet'
import { NotificationRoot } from '../ui/messages'

/** What every signed-in page needs and the sign-in page need not wait for. */
export function SignedInParts() {
  return (
    <>
      <NotificationRoot />
      <SessionExpiredDialog />
    </>
  )
}
