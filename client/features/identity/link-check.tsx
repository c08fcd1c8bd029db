import { Button, Skeleton } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isExpiredLink, LinkStatus } from './email-link'
import { jsonQuery } from '../../lib/queries/query-options'
import { api } from '../../lib/api'
import { useSession } from '../../lib/session'
import { signOut } from '../../lib/session-actions'
import { LinkButton } from '../../ui/buttons/links'
import { ErrorState } from '../../ui/error-state'
import type { LinkCheck, LinkPurpose } from '../../../src/shared/account'

const linkCheckQuery = (of: { token: string; purpose: LinkPurpose; userId: string | undefined }) => {
  const { token, purpose, userId } = of
  return queryOptions({
    ...jsonQuery<LinkCheck>(['link-check', purpose, token, userId], (options) =>
      api.api.account.links.check.$post({ json: { token, purpose } }, options),
    ),
    // Once used, a link is another answer.
    gcTime: 0,
    retry: false,
  })
}

export interface CheckedLinkProps {
  token: string
  purpose: LinkPurpose
  /** In place of a link that does nothing any more. */
  dead: ReactNode
  /** Where somebody comes back to who has to sign in first. */
  returnTo: string
  children: ReactNode
}

/** What a link asks for, once it is known to work: nothing is typed for one that is used, old or somebody else's. */
export function CheckedLink({ token, purpose, dead, returnTo, children }: CheckedLinkProps) {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(linkCheckQuery({ token, purpose, userId: user?.id }))
  if (isExpiredLink(error)) return dead
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={120} aria-hidden="true" />
  if (data.state === 'signIn') return <SignInFirst returnTo={returnTo} />
  return data.state === 'otherAccount' ? <OtherAccount /> : children
}

const SignInFirst = ({ returnTo }: { returnTo: string }) => (
  <LinkStatus
    title="Sign in to confirm"
    action={
      <LinkButton to="/login" search={{ return: returnTo }}>
        Sign in
      </LinkButton>
    }
  >
    Sign in to the account, then open the link in your email again.
  </LinkStatus>
)

function OtherAccount() {
  const { user } = useSession()
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/login', replace: true }),
  })
  return (
    <LinkStatus
      title="This link belongs to another account"
      action={
        <Button loading={change.isPending} onClick={() => change.mutate()}>
          Sign out
        </Button>
      }
    >
      You’re signed in as {user?.email ?? user?.name}. Sign in to the other account, then open the link again.
    </LinkStatus>
  )
}
