import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { InvalidInvitation, isInvalidInvitation } from './dead-invitation'
import { clearInvitation, INVITATION_PATH } from './kept-invitation'
import { acceptInvite } from './queries'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { loadSession, signOut } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import type { InvitePreview } from '../../../src/shared/invites'

export interface InvitationActionsProps {
  look: InvitePreview
  token: string
  onEnter: (workspaceId: string, path: string) => void
}

/** Addresses and names are as long as they are: the button grows with them. */
const WRAPPING_BUTTON = {
  root: { height: 'auto', minHeight: 36, paddingBlock: 7 },
  label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.35 },
} as const

/** The one step that is next: join, sign in, change accounts, or open what one belongs to already. */
export function InvitationActions(props: InvitationActionsProps) {
  if (props.look.standing === 'ready') return <JoinWorkspace {...props} />
  if (props.look.standing === 'signIn') return <SignInToAccept email={props.look.email} />
  if (props.look.standing === 'otherAccount') return <SwitchAccount email={props.look.email} />
  return <AlreadyMember {...props} />
}

/** Accepts, and moves the tab into the workspace: what was read in another one is forgotten first. */
function useAcceptInvite({ token, onEnter }: InvitationActionsProps) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const accepted = await acceptInvite(token)
      await loadSession(accepted.workspaceId)
      return accepted
    },
    onSuccess: ({ workspaceId, landing }) => {
      clearInvitation()
      client.clear()
      onEnter(workspaceId, landing)
    },
  })
}

function JoinWorkspace(props: InvitationActionsProps) {
  const { invitedBy, workspace } = props.look
  const join = useAcceptInvite(props)
  if (isInvalidInvitation(join.error)) return <InvalidInvitation why="dead" />
  return (
    <Stack gap="sm">
      <JoinError error={join.error} invitedBy={invitedBy} />
      <Button fullWidth styles={WRAPPING_BUTTON} loading={join.isPending} onClick={() => join.mutate()}>
        Join {workspace.name}
      </Button>
    </Stack>
  )
}

/** What only somebody of the workspace can mend: no seat, a workspace that takes nobody, a suspension. */
function JoinError({ error, invitedBy }: { error: unknown; invitedBy: string }) {
  const code = error instanceof ApiError ? error.body.code : null
  if (code === 'limit_reached')
    return (
      <JoinWarning>
        Every seat of this workspace is taken by now. Ask {invitedBy} to make room; this invitation stays.
      </JoinWarning>
    )
  if (code === 'read_only' || code === 'forbidden')
    return <JoinWarning>{error instanceof ApiError ? error.body.message : ''}</JoinWarning>
  return <FormError error={error} />
}

const JoinWarning = ({ children }: { children: ReactNode }) => (
  <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert">
    {children}
  </Alert>
)

function SignInToAccept({ email }: { email: string }) {
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

function SwitchAccount({ email, stay }: { email: string; stay?: ReactNode }) {
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
      <Button fullWidth styles={WRAPPING_BUTTON} loading={change.isPending} onClick={() => change.mutate()}>
        Sign out and continue as {email}
      </Button>
      {stay ?? (
        <LinkButton to="/data-sources" variant="default" fullWidth>
          Stay signed in
        </LinkButton>
      )}
    </Stack>
  )
}

function AlreadyMember(props: InvitationActionsProps) {
  const { workspace, email } = props.look
  const { user } = useSession()
  const open = useAcceptInvite(props)
  // The link may be somebody else's: then the workspace is opened like any other day.
  if (open.error)
    return (
      <Stack gap="sm">
        <Text size="sm">You belong to {workspace.name} already, so there is nothing to accept.</Text>
        <LinkButton to="/data-sources" fullWidth onClick={clearInvitation}>
          Go to Insikt
        </LinkButton>
      </Stack>
    )
  const enter = (variant: 'filled' | 'default') => (
    <Button fullWidth styles={WRAPPING_BUTTON} variant={variant} loading={open.isPending} onClick={() => open.mutate()}>
      Open {workspace.name}
    </Button>
  )
  // Opened in a colleague's browser: whom it is for must be able to go on there.
  if (user?.email && user.email !== email) return <SwitchAccount email={email} stay={enter('default')} />
  return (
    <Stack gap="sm">
      <Text size="sm">You belong to {workspace.name} already.</Text>
      {enter('filled')}
    </Stack>
  )
}
