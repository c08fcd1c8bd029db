import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AuthLayout } from './auth-layout'
import { EXPIRED_LINK, INCOMPLETE_LINK, INCOMPLETE_LINK_ADVICE, isExpiredLink, LinkStatus } from './email-link'
import { CheckedLink } from './link-check'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { FormError } from '../../ui/forms/form-error'
import { ResendEmailProof } from '../../ui/confirm-email-notice'
import { useSession } from '../../lib/session'
import { confirmEmailProof } from '../../lib/session-actions'
import { useLinkToken } from '../../lib/use-link-token'
import { linkTokenSchema } from '../../../src/shared/account'

const TITLE = 'Confirm your email address'
const PATH = '/auth/confirm'
/** The token on its way through sign-in: kept in this tab only. */
const STORAGE_KEY = 'email-proof'

const storedToken = (): string | null => {
  const token = linkTokenSchema.safeParse(sessionStorage.getItem(STORAGE_KEY))
  return token.success ? token.data : null
}

/** Confirms the address of the account that is signed in. Opening the link does nothing yet: mail scanners open links. */
export function ConfirmAddressScreen() {
  const linked = useLinkToken()
  const [kept] = useState(storedToken)
  const { user } = useSession()
  const token = linked ?? kept
  useEffect(() => {
    if (linked !== null && linked !== 'broken') sessionStorage.setItem(STORAGE_KEY, linked)
  }, [linked])
  return (
    <AuthLayout title={TITLE} below={user ? <HomeLink /> : <NotMine />}>
      {user?.emailProven === true && <Confirmed email={user.email} />}
      {user?.emailProven === false && <OpenLink token={token} />}
      {user === null && <SignInFirst />}
    </AuthLayout>
  )
}

const HomeLink = () => (
  <LinkAnchor to="/data-sources" size="sm">
    Go to Insikt
  </LinkAnchor>
)

const NotMine = () => (
  <>
    Didn’t create an account?{' '}
    <LinkAnchor to="/reset" size="sm" underline="always">
      Reset the password to take it over
    </LinkAnchor>
  </>
)

const SignInFirst = () => (
  <LinkStatus
    title="Sign in to confirm"
    action={
      <LinkButton to="/login" search={{ return: PATH }}>
        Sign in
      </LinkButton>
    }
  >
    Only the account’s owner can confirm its address.
  </LinkStatus>
)

function Confirmed({ email }: { email: string | null }) {
  useEffect(() => sessionStorage.removeItem(STORAGE_KEY), [])
  return (
    <LinkStatus
      success
      title="Email address confirmed"
      action={<LinkButton to="/data-sources">Go to data sources</LinkButton>}
    >
      {email}
    </LinkStatus>
  )
}

function OpenLink({ token }: { token: string | null }) {
  const confirm = useMutation({ mutationFn: confirmEmailProof })
  const dead = (
    <LinkStatus
      title={token === null ? 'Open the link in your email' : token === 'broken' ? INCOMPLETE_LINK : EXPIRED_LINK}
      action={<ResendEmailProof />}
    >
      {token === 'broken' ? INCOMPLETE_LINK_ADVICE : 'Only the newest email works, once and for 7 days.'}
    </LinkStatus>
  )
  if (token === null || token === 'broken' || isExpiredLink(confirm.error)) return dead
  return (
    <CheckedLink token={token} purpose="proveEmail" dead={dead} returnTo={PATH}>
      <Stack gap="md">
        <Text c="dimmed">Then you can invite people and get alerts and digests.</Text>
        <FormError error={confirm.error} />
        <Button fullWidth autoFocus loading={confirm.isPending} onClick={() => confirm.mutate({ token })}>
          Confirm email address
        </Button>
      </Stack>
    </CheckedLink>
  )
}
