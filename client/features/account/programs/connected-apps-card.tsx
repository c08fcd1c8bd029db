import { Anchor, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProgramRow } from './program-row'
import { connectedAppsQuery, revokeConnectedApp } from './queries'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { CopyField } from '../../../ui/forms/copy-field'
import { FormError } from '../../../ui/forms/form-error'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { SectionCard } from '../../../ui/section-card'
import { FormSkeleton } from '../../../ui/skeletons'
import type { ConnectedApp } from '../../../../src/shared/programs/connected-apps'

/** Apps that ask in the person's name, and how to connect one. */
export function ConnectedAppsCard() {
  const apps = useQuery(connectedAppsQuery())
  return (
    <SectionCard title="Connected apps" description="Assistants and other apps that ask questions for you over MCP.">
      <QueryView query={apps} skeleton={<FormSkeleton fields={2} />}>
        {(items) => <AppList apps={items} now={apps.dataUpdatedAt} />}
      </QueryView>
      <ConnectGuide />
    </SectionCard>
  )
}

function AppList({ apps, now }: { apps: ConnectedApp[]; now: number }) {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: ({ id }: ConnectedApp) => revokeConnectedApp(id),
    onSuccess: async (_ended, { name }) => {
      notifications.show({ color: 'green', message: `${name} disconnected` })
      await client.invalidateQueries(connectedAppsQuery())
    },
  })
  if (apps.length === 0) return <MutedText>No apps connected yet</MutedText>
  const confirmEnd = (app: ConnectedApp) =>
    confirmDestructive({
      title: `Disconnect ${app.name}?`,
      message: 'It loses access at once. You can connect it again.',
      confirm: 'Disconnect app',
      onConfirm: () => end.mutate(app),
    })
  return (
    <>
      <FormError error={end.error} />
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {apps.map((app) => (
          <ProgramRow
            key={app.id}
            kind="app"
            program={app}
            now={now}
            pending={end.isPending && end.variables.id === app.id}
            onEnd={() => confirmEnd(app)}
          />
        ))}
      </Stack>
    </>
  )
}

/** How an assistant is connected: its address, and what to do with it. */
function ConnectGuide() {
  const [opened, setOpened] = useState(false)
  const address = `${window.location.origin}/mcp`
  return (
    <Stack gap="sm">
      <CopyField label="MCP server address" text={address} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        How to connect an assistant
      </Anchor>
      {opened && (
        <>
          <List type="ordered" size="sm" spacing={4}>
            <List.Item>Open your assistant’s settings for connectors or MCP servers.</List.Item>
            <List.Item>Add a remote server (streamable HTTP) with the address above.</List.Item>
            <List.Item>Sign in when it opens this site, choose permissions and connect.</List.Item>
            <List.Item>
              No sign-in offered? Create an access token and send it as the header <code>Authorization: Bearer …</code>
            </List.Item>
          </List>
          <Text size="sm" c="dimmed">
            It sees what you see in the workspace, changes nothing, and every call is in the audit log.
          </Text>
        </>
      )}
    </Stack>
  )
}
