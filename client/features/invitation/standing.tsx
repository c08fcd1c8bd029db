import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DeadInvitation, isDead } from './dead-invitation'
import { forgetInvitation, INVITATION_PATH } from './kept-invitation'
import { acceptInvite } from './queries'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { loadSession, signOut } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import type { InviteLook } from '../../../src/shared/invites'

export interface StandingProps {
  look: InviteLook
  token: string
  onEnter: (workspaceId: string | undefined, path: string) => void
}

/** The one step that is next: join, sign in, change accounts, or open what one belongs to already. */
export function Standing(props: StandingProps) {
  if (props.look.standing === 'ready') return <Join {...props} />
  if (props.look.standing === 'signIn') return <SignIn email={props.look.email} />
  if (props.look.standing === 'otherAccount') return <OtherAccount email={props.look.email} />
  return <Member {...props} />
}

function Join({ look, token, onEnter }: StandingProps) {
  const client = useQueryClient()
  const join = useMutation({
    mutationFn: async () => {
      const accepted = await acceptInvite(token)
      forgetInvitation()
      // The tab moves into the new workspace: what was read in another one is forgotten first.
      client.clear()
      await loadSession(accepted.workspaceId)
      return accepted
    },
    onSuccess: ({ workspaceId, landing }) => onEnter(workspaceId, landing),
    // Somebody else may be signed in by now.
    onError: () => void client.invalidateQueries({ queryKey: ['invitation'] }),
  })
  if (isDead(join.error)) return <DeadInvitation why="dead" />
  return (
    <Stack gap="sm">
      <JoinRefusal error={join.error} invitedBy={look.invitedBy} />
      <Button fullWidth loading={join.isPending} onClick={() => join.mutate()}>
        Join {look.workspace.name}
      </Button>
    </Stack>
  )
}

/** Seats may have gone since the mail was sent: only somebody of the workspace can make room. */
function JoinRefusal({ error, invitedBy }: { error: unknown; invitedBy: string }) {
  if (error instanceof ApiError && error.body.code === 'limit_reached')
    return (
      <Text size="sm" role="alert" c="var(--bad)">
        Every seat of this workspace is taken by now. Ask {invitedBy} to make room; this invitation stays.
      </Text>
    )
  return <FormError error={error} />
}

function SignIn({ email }: { email: string }) {
  const search = { return: INVITATION_PATH }
  return (
    <Stack gap="sm">
      <Text size="sm">Sign in with {email}, or create an account with it. Then you come back here and join.</Text>
      <LinkButton to="/login" search={search} fullWidth>
        Sign in
      </LinkButton>
      <LinkButton to="/register" search={search} variant="default" fullWidth>
        Create an account
      </LinkButton>
    </Stack>
  )
}

function OtherAccount({ email }: { email: string }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/login', search: { return: INVITATION_PATH }, replace: true }),
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        You are signed in as <strong>{user?.email ?? user?.name}</strong>, and the invitation is for{' '}
        <strong>{email}</strong>. Nobody else can use it.
      </Text>
      <FormError error={change.error} />
      <Button fullWidth loading={change.isPending} onClick={() => change.mutate()}>
        Sign out and continue as {email}
      </Button>
      <LinkButton to="/data-sources" variant="default" fullWidth>
        Stay signed in
      </LinkButton>
    </Stack>
  )
}

function Member({ look, onEnter }: StandingProps) {
  const { workspaces } = useSession()
  // Names may repeat; the address is named only where it is certain.
  const known = workspaces.filter(({ name }) => name === look.workspace.name)
  const id = known.length === 1 ? known[0]?.id : undefined
  const enter = () => {
    forgetInvitation()
    onEnter(id, '/data-sources')
  }
  return (
    <Stack gap="sm">
      <Text size="sm">You belong to {look.workspace.name} already.</Text>
      <Button fullWidth onClick={enter}>
        Open {look.workspace.name}
      </Button>
    </Stack>
  )
}
