import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { INCOMPLETE_LINK, INCOMPLETE_LINK_ADVICE, EXPIRED_LINK, isExpiredLink, LinkStatus } from './email-link'
import { CheckedLink } from './link-check'
import { useLinkToken } from '../../lib/use-link-token'
import { restoreAccount } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'

const TITLE = 'Restore account'

export interface RestoreAccountScreenProps {
  /** The account was deleted a moment ago. */
  deleted: boolean
}

/** Within 30 days of its deletion an account comes back by the link in the mail about it. */
export function RestoreAccountScreen({ deleted }: RestoreAccountScreenProps) {
  const token = useLinkToken()
  if (deleted && token === null) return <AccountDeleted />
  const below = (
    <>
      Prefer a new account?{' '}
      <LinkAnchor to="/register" size="sm" underline="always">
        Create an account
      </LinkAnchor>
    </>
  )
  return (
    <AuthLayout title={TITLE} below={below}>
      {token === null || token === 'broken' ? (
        <LinkStatus
          title={token === null ? 'Open the link in your email' : INCOMPLETE_LINK}
          action={<LinkButton to="/login">Go to sign-in</LinkButton>}
        >
          {token === null
            ? 'We emailed a restore link when the account was deleted. It works for 30 days.'
            : INCOMPLETE_LINK_ADVICE}
        </LinkStatus>
      ) : (
        <CheckedLink
          key={token}
          token={token}
          purpose="restoreAccount"
          dead={<DeadRestore />}
          returnTo="/auth/undelete"
        >
          <RestoreAccount token={token} />
        </CheckedLink>
      )}
    </AuthLayout>
  )
}

/** Where a person lands who has just deleted their account. */
function AccountDeleted() {
  return (
    <AuthLayout title="Account deleted" below={null}>
      <LinkStatus
        success
        title="You’re signed out everywhere"
        action={<LinkButton to="/login">Go to sign-in</LinkButton>}
      >
        Changed your mind? We emailed a restore link. It works for 30 days.
      </LinkStatus>
    </AuthLayout>
  )
}

const DeadRestore = () => (
  <LinkStatus title={EXPIRED_LINK} action={<LinkButton to="/login">Go to sign-in</LinkButton>}>
    The account was already restored, or was deleted more than 30 days ago.
  </LinkStatus>
)

/** Workspaces in which an owner or admin lets the person in again. */
export const describeWaiting = (names: readonly string[]): string =>
  `Waiting for approval: ${new Intl.ListFormat('en-GB').format(names)}.`

function RestoreAccount({ token }: { token: string }) {
  const restore = useMutation({ mutationFn: restoreAccount })
  if (isExpiredLink(restore.error)) return <DeadRestore />
  if (restore.data)
    return (
      <LinkStatus success title="Account restored" action={<LinkButton to="/login">Sign in</LinkButton>}>
        {restore.data.email === null
          ? 'Another account now uses its address. Sign in with Google or Microsoft, then add an address in settings.'
          : `Sign in with ${restore.data.email}.`}{' '}
        {restore.data.waiting.length > 0 && describeWaiting(restore.data.waiting)}
      </LinkStatus>
    )
  return (
    <Stack gap="md">
      <Text c="dimmed">
        Restores your account and the workspaces deleted with it. Shared workspaces need an owner or admin’s approval.
      </Text>
      <FormError error={restore.error} />
      <Button fullWidth loading={restore.isPending} onClick={() => restore.mutate({ token })}>
        Restore account
      </Button>
    </Stack>
  )
}
