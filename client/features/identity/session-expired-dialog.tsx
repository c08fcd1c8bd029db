import { MutedText } from '../../ui/muted-text'
import { Anchor, Divider, getDefaultZIndex, Stack, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { ProviderSignIns, SignInForm } from './sign-in-form'
import { isSignInRequested, subscribeToSignInRequest, dismissSignIn, resolveSignIn } from './sign-in-prompt'
import { useSession } from '../../lib/session'
import { forgetInput } from '../../lib/writes/unsaved-input'
import type { PageData } from '../../../src/shared/session'
import { Dialog } from '../../ui/dialog'

/** Over whatever is on screen when the session has ended: sign in, and the interrupted calls go on. */
export function SessionExpiredDialog() {
  const opened = useSyncExternalStore(subscribeToSignInRequest, isSignInRequested)
  const { user, config } = useSession()
  const { google, microsoft } = config.signIn
  const resume = (data: PageData) => {
    // Somebody else's figures must not stay on a screen of the first person.
    if (!user || data.user?.id === user.id) return resolveSignIn()
    forgetInput()
    window.location.assign('/')
  }
  return (
    // Above a dialog that was open already: nothing beneath it can be used before it.
    <Dialog opened={opened} onClose={dismissSignIn} title="Sign in to continue" zIndex={getDefaultZIndex('overlay')}>
      <Text size="sm" c="dimmed" mb="md">
        Your session ended. Nothing on this page is lost.
      </Text>
      <SignInForm email={user?.email ?? ''} onSignedIn={resume} />
      <Text size="sm" c="dimmed" mt="md">
        Forgot password?{' '}
        <Anchor href="/reset" target="_blank" size="sm" underline="always">
          Reset it in a new tab
        </Anchor>
      </Text>
      {(google || microsoft) && (
        <Stack gap="sm" mt="md">
          <Divider label="or" />
          <MutedText>Leaves this page; unsaved changes are lost.</MutedText>
          <ProviderSignIns returnTo={window.location.pathname + window.location.search} />
        </Stack>
      )}
    </Dialog>
  )
}
