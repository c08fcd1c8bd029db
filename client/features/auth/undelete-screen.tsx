import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AuthFrame } from './auth-frame'
import { BROKEN, BROKEN_ADVICE, DEAD, isDeadLink, LinkState } from './link-state'
import { useLinkToken } from '../../lib/link-token'
import { undelete } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'
import { LinkAnchor, LinkButton } from '../../ui/links'

const TITLE = 'Take your account back'

export interface UndeleteScreenProps {
  /** The account was deleted a moment ago. */
  deleted: boolean
}

/** Within 30 days of its deletion an account comes back by the link in the mail about it. */
export function UndeleteScreen({ deleted }: UndeleteScreenProps) {
  const token = useLinkToken()
  if (deleted && token === null) return <Deleted />
  const below = (
    <>
      Rather begin anew?{' '}
      <LinkAnchor to="/register" size="sm" underline="always">
        Create an account
      </LinkAnchor>
    </>
  )
  return (
    <AuthFrame title={TITLE} below={below}>
      {token === null || token === 'broken' ? (
        <LinkState
          title={token === null ? 'Open the link from your mail' : BROKEN}
          action={<LinkButton to="/login">Go to sign-in</LinkButton>}
        >
          {token === null
            ? 'When an account is deleted we send a mail with a link that brings it back for 30 days.'
            : BROKEN_ADVICE}
        </LinkState>
      ) : (
        <Restore key={token} token={token} />
      )}
    </AuthFrame>
  )
}

/** Where a person lands who has just deleted their account. */
function Deleted() {
  return (
    <AuthFrame title="Your account is deleted" below="Thank you for having been here.">
      <LinkState good title="You are signed out everywhere" action={<LinkButton to="/login">Go to sign-in</LinkButton>}>
        Changed your mind? If your account had an address, a mail is on its way there. Its link brings everything back
        for 30 days.
      </LinkState>
    </AuthFrame>
  )
}

function Restore({ token }: { token: string }) {
  const restore = useMutation({ mutationFn: undelete })
  if (isDeadLink(restore.error))
    return (
      <LinkState title={DEAD} action={<LinkButton to="/login">Go to sign-in</LinkButton>}>
        The account is back already, or more than 30 days have passed since it was deleted. What was erased cannot come
        back.
      </LinkState>
    )
  if (restore.data)
    return (
      <LinkState good title="Your account is back" action={<LinkButton to="/login">Sign in</LinkButton>}>
        {restore.data.email === null
          ? 'Its address belongs to another account by now. Sign in as you did with Google or Microsoft, then add an address in your settings.'
          : `Sign in with ${restore.data.email} as you did before.`}
      </LinkState>
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
