import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { UseMutationResult } from '@tanstack/react-query'
import { AuthFrame } from './auth-frame'
import { BROKEN, BROKEN_ADVICE, DEAD, isDeadLink, LinkState } from './link-state'
import { useLinkToken } from '../../lib/link-token'
import { useSession } from '../../lib/session'
import { confirmEmail } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import type { EmailConfirmed } from '../../../src/shared/account'

const TITLE = 'Change of address'
const BELOW = 'You did not ask for this? Then do nothing: without both confirmations the address stays as it is.'

/** One side of a changed address, confirmed by a button; says what is still missing. */
export function EmailScreen() {
  const token = useLinkToken()
  if (token === null || token === 'broken')
    return (
      <AuthFrame title={TITLE} below={BELOW}>
        <LinkState
          title={token === null ? 'Open the link from your mail' : BROKEN}
          action={<ToSettings label="See the change in your settings" />}
        >
          {token === null
            ? 'A change of address is confirmed from the mails we sent: one to the current address, one to the new one.'
            : BROKEN_ADVICE}
        </LinkState>
      </AuthFrame>
    )
  return <Confirm key={token} token={token} />
}

function Confirm({ token }: { token: string }) {
  const confirm = useMutation({ mutationFn: confirmEmail })
  const below = confirm.data?.changed === true ? 'You can change it again in your settings.' : BELOW
  return (
    <AuthFrame title={TITLE} below={below}>
      <Step confirm={confirm} onConfirm={() => confirm.mutate({ token })} />
    </AuthFrame>
  )
}

interface StepProps {
  confirm: Pick<UseMutationResult<EmailConfirmed>, 'data' | 'error' | 'isPending'>
  onConfirm: () => void
}

function Step({ confirm, onConfirm }: StepProps) {
  if (isDeadLink(confirm.error))
    return (
      <LinkState title={DEAD} action={<ToSettings label="Start the change again" />}>
        It was used already, is too old, or the change was cancelled. Start it again in your settings.
      </LinkState>
    )
  if (confirm.data)
    return confirm.data.changed ? (
      <LinkState good title="Your address has changed" action={<ToSettings label="Go to your settings" />}>
        You sign in with {confirm.data.email} from now on. Mails go there too.
      </LinkState>
    ) : (
      <LinkState good title="Half of it is done" action={<ToSettings label="See what is missing" />}>
        Thank you. The other address must confirm too: open the mail that we sent there. Until then nothing changes.
      </LinkState>
    )
  return (
    <Stack gap="md">
      <Text c="dimmed">
        The address of your account changes when both the current one and the new one have confirmed it.
      </Text>
      <FormError error={confirm.error} />
      <Button fullWidth loading={confirm.isPending} onClick={onConfirm}>
        Confirm the change
      </Button>
    </Stack>
  )
}

/** People who are not signed in come to their settings by the sign-in page. */
function ToSettings({ label }: { label: string }) {
  const { user } = useSession()
  return user ? (
    <LinkButton to="/settings/profile/authentication">{label}</LinkButton>
  ) : (
    <LinkButton to="/login" search={{ return: '/settings/profile/authentication' }}>
      Sign in
    </LinkButton>
  )
}
