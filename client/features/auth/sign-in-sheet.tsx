import { Anchor, Modal, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { SignInForm } from './sign-in-form'
import { isWaitingForSignIn, onSignInRequest, signInGivenUp, signInReached } from './sign-in-request'
import { useSession } from '../../lib/session'
import type { PageData } from '../../../src/shared/session'

/** Over whatever is on screen when the session has ended: sign in, and the interrupted calls go on. */
export function SignInSheet() {
  const opened = useSyncExternalStore(onSignInRequest, isWaitingForSignIn)
  const { user } = useSession()
  const goOn = (data: PageData) => {
    // Somebody else's figures must not stay on a screen of the first person.
    if (user && data.user?.id !== user.id) window.location.assign('/')
    else signInReached()
  }
  return (
    <Modal opened={opened} onClose={signInGivenUp} title="Sign in to continue">
      <Text size="sm" c="dimmed" mb="md">
        Your session has ended. What you were doing is still here and goes on after you sign in.
      </Text>
      <SignInForm email={user?.email ?? ''} onSignedIn={goOn} />
      <Text size="sm" c="dimmed" mt="md">
        Another way in, or no password?{' '}
        <Anchor href="/reset" target="_blank" size="sm" underline="always">
          Choose a new one
        </Anchor>{' '}
        in another tab; this one goes on then.
      </Text>
    </Modal>
  )
}
