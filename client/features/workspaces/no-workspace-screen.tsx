import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconLogout, IconRefresh } from '@tabler/icons-react'
import { AccountLayout } from './account-layout'
import { DeletedWorkspacesCard } from './deleted-workspaces'
import { useSignOut } from './person-menu'
import { endedMembershipsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { loadSession } from '../../lib/session-actions'
import { LinkButton } from '../../ui/buttons/links'
import { FormError } from '../../ui/forms/form-error'
import { QueryError } from '../../ui/query-view'
import type { EndedMembership } from '../../../src/shared/workspaces/workspaces'

type Reason = EndedMembership['reason']

/** What happened, and what can be done about it. */
const REASON_TEXT: Record<Reason, (workspace: string) => { title: string; sentence: string }> = {
  removed: (workspace) => ({
    title: `You were removed from ${workspace}`,
    sentence: 'To come back, ask an owner or admin for an invitation.',
  }),
  left: (workspace) => ({
    title: `You left ${workspace}`,
    sentence: 'To come back, ask an owner or admin for an invitation.',
  }),
  suspended: (workspace) => ({
    title: `Your membership of ${workspace} is suspended`,
    sentence: 'Ask an owner or admin to reactivate it.',
  }),
  restored: (workspace) => ({
    title: `Waiting for ${workspace}`,
    sentence: 'You restored your account. An owner or admin has to reactivate your membership.',
  }),
  deleted: (workspace) => ({
    title: `${workspace} was deleted`,
    sentence: 'An owner can restore it for 30 days.',
  }),
}

export interface NoWorkspaceScreenProps {
  /** There is a workspace to open by now. */
  onEnter: () => void
}

/** For somebody who is in no workspace: what happened to those they were in, and every way on. */
export function NoWorkspaceScreen({ onEnter }: NoWorkspaceScreenProps) {
  useDocumentTitle('No workspace · Insikt')
  const ended = useQuery(endedMembershipsQuery())
  return (
    <AccountLayout>
      <Stack gap="lg" maw={560} mx="auto" py="xl" className="in-order">
        <div>
          <Title order={1} fz={28} lh={1.25}>
            No workspace
          </Title>
          <Text c="dimmed" mt={4}>
            You’re not a member of any workspace.
          </Text>
        </div>
        {ended.error && <QueryError query={ended} />}
        {ended.isPending && <Skeleton h={72} aria-hidden="true" />}
        {ended.data && ended.data.items.length > 0 && <EndedMemberships items={ended.data.items} />}
        <DeletedWorkspacesCard>
          <NextSteps onEnter={onEnter} />
        </DeletedWorkspacesCard>
      </Stack>
    </AccountLayout>
  )
}

function EndedMemberships({ items }: { items: readonly EndedMembership[] }) {
  const format = useFormat()
  return (
    <Stack
      component="ul"
      gap={0}
      m={0}
      p={0}
      className="surface"
      style={{ listStyle: 'none' }}
      aria-label="What happened"
    >
      {items.map(({ workspace, reason, at }) => {
        const { title, sentence } = REASON_TEXT[reason](workspace)
        return (
          <li key={`${reason} ${workspace} ${at}`} style={{ padding: '12px 16px', overflowWrap: 'anywhere' }}>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {at !== null && `${format.date(at)}. `}
              {sentence}
            </Text>
          </li>
        )
      })}
    </Stack>
  )
}

function NextSteps({ onEnter }: NoWorkspaceScreenProps) {
  const signOut = useSignOut()
  const check = useMutation({
    mutationFn: () => loadSession(),
    onSuccess: ({ workspace }) => {
      if (workspace) onEnter()
    },
  })
  return (
    <>
      <FormError error={check.error} />
      <Group gap="sm">
        <LinkButton to="/onboarding/workspace">Create workspace</LinkButton>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check again
        </Button>
        <LinkButton to="/settings/profile/authentication" variant="default">
          Account settings
        </LinkButton>
        <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          Sign out
        </Button>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {check.isSuccess && check.data.workspace === null && 'No change yet'}
      </Text>
    </>
  )
}
