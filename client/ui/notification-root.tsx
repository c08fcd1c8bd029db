import '@mantine/notifications/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'

/** Where `modals.…` and `notifications.show` appear. Both are reached by events, so this stands beside the screens. */
export function NotificationRoot() {
  return (
    <>
      <ModalsProvider labels={{ confirm: 'Continue', cancel: 'Cancel' }}>{null}</ModalsProvider>
      <Notifications position="bottom-right" autoClose={6000} limit={3} />
    </>
  )
}
