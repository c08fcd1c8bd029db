import { Menu, useMantineColorScheme, Text, UnstyledButton } from '@mantine/core'
import { useRouter, useNavigate } from '@tanstack/react-router'
import { notifications } from '@mantine/notifications'
import { IconLock, IconLogout, IconShieldCog, IconUser } from '@tabler/icons-react'
import { parseTheme, toColorScheme, toTheme } from '../../ui/theme-provider'
import { describeError } from '../../lib/describe-error'
import { signOut } from '../../lib/session-actions'
import { useSession } from '../../lib/session'
import { leavePage } from '../../lib/writes/unsaved-input'
import { PersonAvatar } from '../../ui/person-avatar'

/** Light, dark or as the system; kept in the cookie `theme`. */
function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Divider />
      <Menu.RadioGroup
        value={toTheme(colorScheme)}
        onChange={(value) => setColorScheme(toColorScheme(parseTheme(value)))}
      >
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioItem value="system">System</Menu.RadioItem>
        <Menu.RadioItem value="light">Light</Menu.RadioItem>
        <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
    </>
  )
}

/** Ends the session and goes to the sign-in page; says so when the server could not be reached. */
export function useSignOut(): () => void {
  const router = useRouter()
  const end = (): void => {
    signOut().then(
      () => router.navigate({ to: '/login', replace: true }),
      (error: unknown) => {
        const { title, advice } = describeError(error)
        notifications.show({ color: 'red', title: `Couldn’t sign out. ${title}`, message: advice })
      },
    )
  }
  return () => leavePage(end)
}

export function PersonMenu() {
  const { user, config } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  if (!user) return null
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: 999, flex: 'none', position: 'relative' }}>
          <PersonAvatar name={user.name} picture={user.avatar} />
          <span className="only-reader">{user.name}, account menu</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '8px 12px' }}>
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email ?? 'No email'}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/profile' })}
        >
          Profile
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLock size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/profile/authentication' })}
        >
          Sign-in and security
        </Menu.Item>
        {user.staff && (
          <Menu.Item
            leftSection={<IconShieldCog size={16} aria-hidden />}
            onClick={() => void navigate({ to: '/admin/workspaces' })}
          >
            Admin
          </Menu.Item>
        )}
        {config.themeSwitcher && <ThemeMenu />}
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
