import { SessionExpiredDialog } from '../features/identity/session-expired-dialog'
import { DiscardQuestion } from '../ui/forms/discard-question'
import { NotificationRoot } from '../ui/notification-root'

/** What every signed-in page needs and the sign-in page need not wait for. */
export function SignedInParts() {
  return (
    <>
      <NotificationRoot />
      <SessionExpiredDialog />
      <DiscardQuestion />
    </>
  )
}
