import { Button, Group, Stack, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import classes from './app-layout.module.css'
import { PersonMenu } from './person-menu'
import { useSignOut } from './use-sign-out'
import { WorkspaceSwitcher } from './workspace-switcher'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'

/**
 * All that somebody sees of a workspace whose plan has no room for them: why, who can help, and the ways to go on.
 * Everything they might ask of it would be refused.
 */
export function NoSeatScreen() {
  const { workspace, workspaces } = useSession()
  const leave = useSignOut()
  useDocumentTitle('No seat · Insikt')
  if (!workspace) return null
  const max = workspace.entitlements.features.users
  const room = max === null ? 'fewer people than belong to it' : max === 1 ? 'one user' : `${max} users`
  return (
    <div className={classes.body} style={{ minHeight: '100dvh' }}>
      <header className={classes.bar}>
        <WorkspaceSwitcher />
        <div className={classes.barEnd}>
          <PersonMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <EmptyState
          picture="locked"
          title={`${workspace.name} has no seat for you right now`}
          sentence={`Its plan has room for ${room}, and more belong to it. You are still a member: nothing of yours is lost, and you are back as soon as there is room.`}
          action={
            <Stack align="center" gap="md">
              <Text ta="center" maw="44ch">
                An owner of {workspace.name} can make room: with more users in the subscription, or by choosing who
                stays.
              </Text>
              <Group justify="center" gap="sm">
                <Text size="sm" c="dimmed">
                  {workspaces.length > 1
                    ? 'Your other workspaces are in the menu at the top.'
                    : 'A workspace of your own can be added in the menu at the top.'}
                </Text>
                <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
                  Sign out
                </Button>
              </Group>
            </Stack>
          }
        />
      </main>
    </div>
  )
}
