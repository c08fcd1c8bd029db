import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { DeadLink, EmailLinkForm, isExpiredLink, LinkStatus, useMailLink } from './email-link'
import { useSession } from '../../lib/session'
import { requestSignInLink, signInByLink } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'

export interface SignInLinkScreenProps {
  /** Where the person was going. */
  returnTo: string | undefined
  onSignedIn: () => void
}

/** Sign-in by a link in a mail, where the installation has it. Opening the link does nothing yet: mail scanners open links. */
export function SignInLinkScreen({ returnTo, onSignedIn }: SignInLinkScreenProps) {
  const { emailLink } = useSession().config.signIn
  const link = useMailLink()
  const { token } = link
  const below = (
    <>
      Rather another way?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        All ways to sign in
      </LinkAnchor>
    </>
  )
  if (!emailLink) return <SignInLinkDisabled returnTo={returnTo} />
  if (token === null || link.asks)
    return (
      <AuthLayout title="Sign in with a link" below={below}>
        <EmailLinkForm
          intro="Tell us your address. We send a link that signs you in, without a password."
          button="Send the link"
          sentMessage="a mail with a link is on its way. The link works once, for 15 minutes."
          send={(email) => requestSignInLink({ email, ...(returnTo === undefined ? {} : { return: returnTo }) })}
        />
      </AuthLayout>
    )
  return (
    <AuthLayout title="Sign in with a link" below={below}>
      {link.isDead ? (
        <DeadLink link={link} why="It was used already, or is older than 15 minutes. Ask for a new one." />
      ) : (
        <ConfirmSignIn token={token} onSignedIn={onSignedIn} onDead={link.onExpired} />
      )}
    </AuthLayout>
  )
}

function SignInLinkDisabled({ returnTo }: { returnTo: string | undefined }) {
  return (
    <AuthLayout title="Sign in with a link" below="Your account and your data are as they were.">
      <LinkStatus
        title="Not enabled here"
        action={
          <LinkButton to="/login" search={{ return: returnTo }}>
            Sign in another way
          </LinkButton>
        }
      >
        Whoever runs this installation has not switched on sign-in by mail. Use your password, or one of the other ways
        on the sign-in page.
      </LinkStatus>
    </AuthLayout>
  )
}

function ConfirmSignIn({ token, onSignedIn, onDead }: { token: string; onSignedIn: () => void; onDead: () => void }) {
  const enter = useMutation({
    mutationFn: signInByLink,
    onSuccess: onSignedIn,
    onError: (error) => isExpiredLink(error) && onDead(),
  })
  return (
    <Stack gap="md">
      <Text c="dimmed">Your link is here. It works once.</Text>
      <FormError error={isExpiredLink(enter.error) ? null : enter.error} />
      <Button fullWidth autoFocus loading={enter.isPending} onClick={() => enter.mutate({ token })}>
        Sign in
      </Button>
    </Stack>
  )
}
