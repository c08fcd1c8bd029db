import { Button, Stack, Text } from '@mantine/core'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { INCOMPLETE_LINK, INCOMPLETE_LINK_ADVICE, EXPIRED_LINK, isExpiredLink, LinkStatus } from './email-link'
import { ApiError } from '../../lib/api'
import { useLinkToken } from '../../lib/use-link-token'
import { useSession } from '../../lib/session'
import { confirmEmail } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkButton } from '../../ui/buttons/links'
import type { EmailConfirmation } from '../../../src/shared/account'

const TITLE = 'Change of address'
const FOOTER = 'You did not ask for this? Then do nothing: without both confirmations the address stays as it is.'

/** One side of a changed address, confirmed by a button; says what is still missing. */
export function EmailScreen() {
  const token = useLinkToken()
  if (token === null || token === 'broken')
    return (
      <AuthLayout title={TITLE} below={FOOTER}>
        <LinkStatus
          title={token === null ? 'Open the link from your mail' : INCOMPLETE_LINK}
          action={<SettingsLink label="See the change in your settings" />}
        >
          {token === null
            ? 'A change of address is confirmed from the mails we sent: one to the current address, one to the new one.'
            : INCOMPLETE_LINK_ADVICE}
        </LinkStatus>
      </AuthLayout>
    )
  return <ConfirmEmailChange key={token} token={token} />
}

function ConfirmEmailChange({ token }: { token: string }) {
  const confirm = useMutation({ mutationFn: confirmEmail })
  const below = confirm.data?.changed === true ? 'You can change it again in your settings.' : FOOTER
  return (
    <AuthLayout title={TITLE} below={below}>
      <ConfirmationStep confirm={confirm} onConfirm={() => confirm.mutate({ token })} />
    </AuthLayout>
  )
}

interface ConfirmationStepProps {
  confirm: Pick<UseMutationResult<EmailConfirmation>, 'data' | 'error' | 'isPending'>
  onConfirm: () => void
}

function ConfirmationStep({ confirm, onConfirm }: ConfirmationStepProps) {
  if (isExpiredLink(confirm.error))
    return (
      <LinkStatus title={EXPIRED_LINK} action={<SettingsLink label="Start the change again" />}>
        It was used already, is too old, or the change was cancelled. Start it again in your settings.
      </LinkStatus>
    )
  if (confirm.error instanceof ApiError && confirm.error.body.code === 'unauthenticated')
    return (
      <LinkStatus title="Sign in to confirm" action={<SettingsLink label="Go to your settings" />}>
        The new address is confirmed by who is signed in. Sign in, then open the link in your email again.
      </LinkStatus>
    )
  if (confirm.data)
    return confirm.data.changed ? (
      <LinkStatus success title="Your address has changed" action={<SettingsLink label="Go to your settings" />}>
        You sign in with {confirm.data.email} from now on. Mails go there too.
      </LinkStatus>
    ) : (
      <LinkStatus success title="Half of it is done" action={<SettingsLink label="See what is missing" />}>
        Thank you. The other address must confirm too: open the mail that we sent there. Until then nothing changes.
      </LinkStatus>
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
function SettingsLink({ label }: { label: string }) {
  const { user } = useSession()
  return user ? (
    <LinkButton to="/settings/profile/authentication">{label}</LinkButton>
  ) : (
    <LinkButton to="/login" search={{ return: '/settings/profile/authentication' }}>
      Sign in
    </LinkButton>
  )
}
