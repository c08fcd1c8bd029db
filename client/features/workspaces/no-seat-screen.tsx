import { Button, Group, Stack, Text } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import classes from './app-layout.module.css'
import { PersonMenu, useSignOut } from './person-menu'
import { WorkspaceSwitcher } from './workspace-switcher'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'

const OTHERS_MAX = 3

/**
 * All that somebody sees of a workspace whose plan has no room for them: why, who can help, and the ways to go on.
 * Everything they might ask of it would be refused.
 */
export function NoSeatScreen() {
  const { workspace, workspaces } = useSession()
  const signOut = useSignOut()
  if (!workspace) return null
  // A few lead on from here; the switcher above holds all.
  const others = workspaces.filter(({ id }) => id !== workspace.id).slice(0, OTHERS_MAX)
  const max = workspace.entitlements.features.users
  const included = max === null ? 'fewer users' : max === 1 ? '1 user' : `${max} users`
  return (
    <div className={classes.body} style={{ minHeight: '100dvh' }}>
      <header className={classes.bar}>
        <WorkspaceSwitcher />
        <div className={classes.barEnd}>
          <PersonMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <PageHeader title={workspace.name} />
        <EmptyState
          picture="locked"
          title="No seat for you right now"
          sentence={`The plan includes ${included}. You’re still a member.`}
          action={
            <Stack align="center" gap="md">
              <Text ta="center" maw="44ch" style={{ textWrap: 'balance' }}>
                Ask an owner of {workspace.name} to add users or change who has a seat.
              </Text>
              <Group justify="center" gap="sm">
                {others.map(({ id, name }) => (
                  <LinkButton key={id} to="/data-sources" search={{ w: id }}>
                    Open {name}
                  </LinkButton>
                ))}
                {others.length === 0 && (
                  <LinkButton to="/onboarding/workspace" variant="default">
                    Create workspace
                  </LinkButton>
                )}
                <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
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
