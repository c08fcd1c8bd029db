import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthFrame } from './auth-frame'
import { BROKEN, BROKEN_ADVICE, DEAD, isDeadLink, LinkState } from './link-state'
import { MailRequest } from './mail-request'
import { useLinkToken } from '../../lib/link-token'
import { useSession } from '../../lib/session'
import { requestSignInLink, signInByLink } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'
import { LinkAnchor, LinkButton } from '../../ui/links'

export interface LinkScreenProps {
  /** Where the person was going. */
  returnTo: string | undefined
  onSignedIn: () => void
}

/** Sign-in by a link in a mail, where the installation has it. Opening the link does nothing yet: mail scanners open links. */
export function LinkScreen({ returnTo, onSignedIn }: LinkScreenProps) {
  const { emailLink } = useSession().config.signIn
  const token = useLinkToken()
  const [dead, setDead] = useState<string | null>(null)
  const [again, setAgain] = useState<string | null>(null)
  const below = (
    <>
      Rather another way?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        All ways to sign in
      </LinkAnchor>
    </>
  )
  if (!emailLink) return <SwitchedOff returnTo={returnTo} />
  if (token === null || again === token)
    return (
      <AuthFrame title="Sign in with a link" below={below}>
        <MailRequest
          intro="Tell us your address. We send a link that signs you in, without a password."
          button="Send the link"
          promise="a mail with a link is on its way. The link works once, for 15 minutes."
          send={(email) => requestSignInLink({ email, ...(returnTo === undefined ? {} : { return: returnTo }) })}
        />
      </AuthFrame>
    )
  return (
    <AuthFrame title="Sign in with a link" below={below}>
      {token === 'broken' || dead === token ? (
        <LinkState
          title={token === 'broken' ? BROKEN : DEAD}
          action={<Button onClick={() => setAgain(token)}>Ask for a new link</Button>}
        >
          {token === 'broken' ? BROKEN_ADVICE : 'It was used already, or is older than 15 minutes. Ask for a new one.'}
        </LinkState>
      ) : (
        <Enter token={token} onSignedIn={onSignedIn} onDead={() => setDead(token)} />
      )}
    </AuthFrame>
  )
}

function SwitchedOff({ returnTo }: { returnTo: string | undefined }) {
  return (
    <AuthFrame title="Sign in with a link" below="Your account and your data are as they were.">
      <LinkState
        title="Not enabled here"
        action={
          <LinkButton to="/login" search={{ return: returnTo }}>
            Sign in another way
          </LinkButton>
        }
      >
        Whoever runs this installation has not switched on sign-in by mail. Use your password, or one of the other ways
        on the sign-in page.
      </LinkState>
    </AuthFrame>
  )
}

function Enter({ token, onSignedIn, onDead }: { token: string; onSignedIn: () => void; onDead: () => void }) {
  const enter = useMutation({
    mutationFn: signInByLink,
    onSuccess: onSignedIn,
    onError: (error) => isDeadLink(error) && onDead(),
  })
  return (
    <Stack gap="md">
      <Text c="dimmed">Your link is here. It works once.</Text>
      <FormError error={isDeadLink(enter.error) ? null : enter.error} />
      <Button fullWidth autoFocus loading={enter.isPending} onClick={() => enter.mutate({ token })}>
        Sign in
      </Button>
    </Stack>
  )
}
