import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { InvalidInvitation, isInvalidInvitation } from './dead-invitation'
import { storeInvitation, readInvitation } from './kept-invitation'
import { invitePreviewQuery } from './queries'
import { InvitationActions } from './standing'
import { InvitationSummary } from './workspace-mark'
import { useLinkToken } from '../../lib/link-token'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'

export interface InvitationScreenProps {
  /** The page around it: a title, what stands below, and the content. */
  frame: (page: { title: string; below: ReactNode; children: ReactNode }) => ReactNode
  /** Opens a page of a workspace. */
  onEnter: (workspaceId: string, path: string) => void
}

/** What an invitation is, and the one step that is next for whoever is here. */
export function InvitationScreen({ frame, onEnter }: InvitationScreenProps) {
  const linked = useLinkToken()
  // Back from signing in, the address holds no token any more: the tab does.
  const [kept] = useState(() => readInvitation()?.token ?? null)
  const token = linked ?? kept
  useEffect(() => {
    if (linked !== null && linked !== 'broken') storeInvitation({ token: linked, email: null })
  }, [linked])
  if (token === null || token === 'broken')
    return frame({
      title: 'Invitation',
      below: <SignInHint />,
      children: <InvalidInvitation why={token === null ? 'missing' : 'broken'} />,
    })
  return <InvitationContent key={token} token={token} frame={frame} onEnter={onEnter} />
}

function InvitationContent({ token, frame, onEnter }: InvitationScreenProps & { token: string }) {
  const { data, error, refetch } = useQuery(invitePreviewQuery(token))
  const email = data?.email ?? null
  useEffect(() => {
    if (email !== null) storeInvitation({ token, email })
  }, [token, email])
  if (data)
    return frame({
      title: `Join ${data.workspace.name}`,
      below: null,
      children: (
        <Stack gap="lg">
          <InvitationSummary look={data} />
          <InvitationActions look={data} token={token} onEnter={onEnter} />
        </Stack>
      ),
    })
  if (isInvalidInvitation(error))
    return frame({ title: 'Invitation', below: <SignInHint />, children: <InvalidInvitation why="dead" /> })
  return frame({
    title: 'Invitation',
    below: null,
    children: error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton h={120} aria-hidden="true" />
    ),
  })
}

const SignInHint = () => (
  <Text span size="sm">
    Have an account?{' '}
    <LinkAnchor to="/data-sources" size="sm" underline="always">
      Go to Insikt
    </LinkAnchor>
  </Text>
)
