import { useRouter } from '@tanstack/react-router'
import { notifications } from '@mantine/notifications'
import { describeError } from '../../lib/describe-error'
import { signOut } from '../../lib/session-calls'

/** Ends the session and goes to the sign-in page; says so when the server could not be reached. */
export function useSignOut(): () => void {
  const router = useRouter()
  return () => {
    signOut().then(
      () => router.navigate({ to: '/login', replace: true }),
      (error: unknown) => {
        const { title, advice } = describeError(error)
        notifications.show({ color: 'red', title: `You are still signed in. ${title}`, message: advice })
      },
    )
  }
}
