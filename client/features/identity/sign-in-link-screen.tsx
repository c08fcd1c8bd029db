import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { DeadLink, EmailLinkForm, isExpiredLink, LinkStatus, useMailLink } from './email-link'
import { CheckedLink } from './link-check'
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
      Prefer another way?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        Other sign-in options
      </LinkAnchor>
    </>
  )
  if (!emailLink) return <SignInLinkDisabled returnTo={returnTo} />
  if (token === null || link.asks)
    return (
      <AuthLayout title="Sign in by email" below={below}>
        <EmailLinkForm
          intro="We’ll email you a sign-in link."
          button="Send link"
          validity="It works once, for 15 minutes."
          send={(email) => requestSignInLink({ email, ...(returnTo === undefined ? {} : { return: returnTo }) })}
        />
      </AuthLayout>
    )
  const dead = <DeadLink link={link} why="It was used, or is older than 15 minutes." />
  return (
    <AuthLayout title="Sign in by email" below={below}>
      {link.isDead ? (
        dead
      ) : (
        <CheckedLink token={token} purpose="signIn" dead={dead} returnTo="/auth/link">
          <ConfirmSignIn token={token} onSignedIn={onSignedIn} onDead={link.onExpired} />
        </CheckedLink>
      )}
    </AuthLayout>
  )
}

function SignInLinkDisabled({ returnTo }: { returnTo: string | undefined }) {
  return (
    <AuthLayout title="Sign in by email" below={null}>
      <LinkStatus
        title="Not enabled here"
        action={
          <LinkButton to="/login" search={{ return: returnTo }}>
            Sign in another way
          </LinkButton>
        }
      >
        Sign-in by email isn’t enabled in this installation.
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
      <FormError error={isExpiredLink(enter.error) ? null : enter.error} />
      <Button fullWidth autoFocus loading={enter.isPending} onClick={() => enter.mutate({ token })}>
        Sign in
      </Button>
    </Stack>
  )
}
