import '@mantine/notifications/styles.css'
import { useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'

/** Where `modals.…` and `notifications.show` appear. Both are reached by events, so this stands beside the screens. */
export function NotificationRoot() {
  // At the bottom of a small window are the buttons of dialogs.
  const isSmall = useMediaQuery('(max-width: 40em)') ?? false
  return (
    <>
      <ModalsProvider labels={{ confirm: 'Continue', cancel: 'Cancel' }}>{null}</ModalsProvider>
      <Notifications position={isSmall ? 'top-center' : 'bottom-right'} autoClose={6000} limit={3} />
    </>
  )
}
