import { MutedText } from '../../ui/muted-text'
import { Alert, Avatar, Text, Button, Stack, Skeleton } from '@mantine/core'
import { IconMailOff, IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { clearInvitation, INVITATION_PATH, storeInvitation, readInvitation } from './pending-invitation'
import { ApiError } from '../../lib/api'
import { initials } from '../../ui/person-avatar'
import type { InvitePreview } from '../../../src/shared/invites'
import { acceptInvite, invitePreviewQuery } from './queries'
import { useSession } from '../../lib/session'
import { loadOtherSession, signOut } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { LinkButton, LinkAnchor } from '../../ui/buttons/links'
import { useLinkToken } from '../../lib/use-link-token'
import { ErrorState } from '../../ui/error-state'

const INVALID_TEXT = {
  missing: {
    title: 'No invitation found',
    advice: 'Open the link in the email again.',
  },
  broken: {
    title: 'Link incomplete',
    advice: 'Use the button in the email, or copy the whole link.',
  },
  dead: {
    title: 'Invitation no longer valid',
    advice: 'It was used, revoked or replaced, or has expired. Ask for a new one.',
  },
} as const

/** Whether the refusal means that this link will never work again. */
const isInvalidInvitation = (error: unknown): boolean =>
  error instanceof ApiError && ['not_found', 'expired', 'invalid_input'].includes(error.body.code)

/** Says what is wrong with a link, and whom to ask. */
function InvalidInvitation({ why }: { why: keyof typeof INVALID_TEXT }) {
  useEffect(() => {
    if (why === 'dead') clearInvitation()
  }, [why])
  const { title, advice } = INVALID_TEXT[why]
  return (
    <Alert color="yellow" icon={<IconMailOff aria-hidden />} title={title} role="alert">
      {advice}
    </Alert>
  )
}

const ROLE_TEXT: Record<InvitePreview['role'], string> = {
  owner: 'as owner',
  admin: 'as an admin: import data, create insights, invite people and change settings',
  analyst: 'as an analyst: import data and create insights',
  viewer: 'as a viewer: view and export',
  client: 'as a client: see what’s shared with you',
}

/** Which workspace somebody is invited to, by whom, and what they may do there. */
function InvitationSummary({ look: { workspace, invitedBy, email, role } }: { look: InvitePreview }) {
  return (
    <div className="surface" style={{ display: 'flex', gap: 14, padding: 16 }}>
      <Avatar src={workspace.logo} alt="" size={44} radius="md" variant="filled" color="accent" aria-hidden>
        {initials(workspace.name)}
      </Avatar>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text fw={600}>{workspace.name}</Text>
        <Text size="sm">
          {invitedBy} invites you {ROLE_TEXT[role]}
        </Text>
        <MutedText>For {email}</MutedText>
      </div>
    </div>
  )
}

interface InvitationActionsProps {
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
function InvitationActions(props: InvitationActionsProps) {
  if (props.look.standing === 'ready') return <JoinWorkspace {...props} />
  if (props.look.standing === 'signIn') return <SignInToAccept email={props.look.email} />
  if (props.look.standing === 'otherAccount') return <SwitchAccount email={props.look.email} />
  return <AlreadyMember {...props} />
}

/** Accepts, and moves the tab into the workspace: what was read in another one is forgotten first. */
function useAcceptInvite({ token, onEnter }: InvitationActionsProps) {
  return useMutation({
    mutationFn: async () => {
      const accepted = await acceptInvite(token)
      await loadOtherSession(accepted.workspaceId)
      return accepted
    },
    onSuccess: ({ workspaceId, landing }) => {
      clearInvitation()
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
    return <JoinWarning>No seats left. Ask {invitedBy} to free one; your invitation stays valid.</JoinWarning>
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
      <Text size="sm">Sign in or create an account with {email} to join.</Text>
      <LinkButton to="/login" search={search} fullWidth>
        Sign in
      </LinkButton>
      <LinkButton to="/register" search={search} variant="default" fullWidth>
        Create account
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
        You’re signed in as <strong>{user?.email ?? user?.name}</strong>. This invitation is for{' '}
        <strong>{email}</strong>.
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
        <Text size="sm">You’re already a member of {workspace.name}.</Text>
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
      <Text size="sm">You’re already a member of {workspace.name}.</Text>
      {enter('filled')}
    </Stack>
  )
}

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
