import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { INCOMPLETE_LINK, INCOMPLETE_LINK_ADVICE, EXPIRED_LINK, isExpiredLink, LinkStatus } from './email-link'
import { useLinkToken } from '../../lib/use-link-token'
import { restoreAccount } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'

const TITLE = 'Take your account back'

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
      Rather begin anew?{' '}
      <LinkAnchor to="/register" size="sm" underline="always">
        Create an account
      </LinkAnchor>
    </>
  )
  return (
    <AuthLayout title={TITLE} below={below}>
      {token === null || token === 'broken' ? (
        <LinkStatus
          title={token === null ? 'Open the link from your mail' : INCOMPLETE_LINK}
          action={<LinkButton to="/login">Go to sign-in</LinkButton>}
        >
          {token === null
            ? 'When an account is deleted we send a mail with a link that brings it back for 30 days.'
            : INCOMPLETE_LINK_ADVICE}
        </LinkStatus>
      ) : (
        <RestoreAccount key={token} token={token} />
      )}
    </AuthLayout>
  )
}

/** Where a person lands who has just deleted their account. */
function AccountDeleted() {
  return (
    <AuthLayout title="Your account is deleted" below="Thank you for having been here.">
      <LinkStatus
        success
        title="You are signed out everywhere"
        action={<LinkButton to="/login">Go to sign-in</LinkButton>}
      >
        Changed your mind? If your account had an address, a mail is on its way there. Its link brings everything back
        for 30 days.
      </LinkStatus>
    </AuthLayout>
  )
}

function RestoreAccount({ token }: { token: string }) {
  const restore = useMutation({ mutationFn: restoreAccount })
  if (isExpiredLink(restore.error))
    return (
      <LinkStatus title={EXPIRED_LINK} action={<LinkButton to="/login">Go to sign-in</LinkButton>}>
        The account is back already, or more than 30 days have passed since it was deleted. What was erased cannot come
        back.
      </LinkStatus>
    )
  if (restore.data)
    return (
      <LinkStatus success title="Your account is back" action={<LinkButton to="/login">Sign in</LinkButton>}>
        {restore.data.email === null
          ? 'Its address belongs to another account by now. Sign in as you did with Google or Microsoft, then add an address in your settings.'
          : `Sign in with ${restore.data.email} as you did before.`}
      </LinkStatus>
    )
  return (
    <Stack gap="md">
      <Text c="dimmed">Your account and the workspaces that went with it come back as they were.</Text>
      <FormError error={restore.error} />
      <Button fullWidth loading={restore.isPending} onClick={() => restore.mutate({ token })}>
        Take the account back
      </Button>
    </Stack>
  )
}
