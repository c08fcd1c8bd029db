import { Button, Stack, Text } from '@mantine/core'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { INCOMPLETE_LINK, INCOMPLETE_LINK_ADVICE, EXPIRED_LINK, isExpiredLink, LinkStatus } from './email-link'
import { CheckedLink } from './link-check'
import { useLinkToken } from '../../lib/use-link-token'
import { useSession } from '../../lib/session'
import { confirmEmail } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkButton } from '../../ui/buttons/links'
import type { EmailConfirmation } from '../../../src/shared/account'

const TITLE = 'Change email address'
const FOOTER = 'Didn’t request this? Ignore it; nothing changes.'
const SETTINGS_PATH = '/settings/profile/authentication'

/** One side of a changed address, confirmed by a button; says what is still missing. */
export function EmailScreen() {
  const token = useLinkToken()
  if (token === null || token === 'broken')
    return (
      <AuthLayout title={TITLE} below={FOOTER}>
        <LinkStatus
          title={token === null ? 'Open the link in your email' : INCOMPLETE_LINK}
          action={<SettingsLink label="Go to settings" />}
        >
          {token === null ? 'We emailed a link to both the current and the new address.' : INCOMPLETE_LINK_ADVICE}
        </LinkStatus>
      </AuthLayout>
    )
  return <ConfirmEmailChange key={token} token={token} />
}

function ConfirmEmailChange({ token }: { token: string }) {
  const confirm = useMutation({ mutationFn: confirmEmail })
  return (
    <AuthLayout title={TITLE} below={confirm.data?.changed === true ? null : FOOTER}>
      {confirm.isSuccess ? (
        <ConfirmationDone confirmation={confirm.data} />
      ) : (
        <CheckedLink token={token} purpose="changeEmail" dead={<DeadChange />} returnTo={SETTINGS_PATH}>
          <ConfirmationStep confirm={confirm} onConfirm={() => confirm.mutate({ token })} />
        </CheckedLink>
      )}
    </AuthLayout>
  )
}

interface ConfirmationStepProps {
  confirm: Pick<UseMutationResult<EmailConfirmation>, 'error' | 'isPending'>
  onConfirm: () => void
}

function ConfirmationStep({ confirm, onConfirm }: ConfirmationStepProps) {
  if (isExpiredLink(confirm.error)) return <DeadChange />
  return (
    <Stack gap="md">
      <Text c="dimmed">Your email changes once both addresses have confirmed.</Text>
      <FormError error={confirm.error} />
      <Button fullWidth loading={confirm.isPending} onClick={onConfirm}>
        Confirm change
      </Button>
    </Stack>
  )
}

const DeadChange = () => (
  <LinkStatus title={EXPIRED_LINK} action={<SettingsLink label="Go to settings" />}>
    It was used, has expired or was cancelled. Start again in settings.
  </LinkStatus>
)

const ConfirmationDone = ({ confirmation: { changed, email } }: { confirmation: EmailConfirmation }) =>
  changed ? (
    <LinkStatus success title="Email address changed" action={<SettingsLink label="Go to settings" />}>
      Sign in with {email} from now on.
    </LinkStatus>
  ) : (
    <LinkStatus success title="One address confirmed" action={<SettingsLink label="Go to settings" />}>
      Now open the link we emailed to the other address.
    </LinkStatus>
  )

/** People who are not signed in come to their settings by the sign-in page. */
function SettingsLink({ label }: { label: string }) {
  const { user } = useSession()
  return user ? (
    <LinkButton to={SETTINGS_PATH}>{label}</LinkButton>
  ) : (
    <LinkButton to="/login" search={{ return: SETTINGS_PATH }}>
      Sign in
    </LinkButton>
  )
}
