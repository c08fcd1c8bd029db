import { Menu, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconLock, IconLogout, IconShieldCog, IconUser } from '@tabler/icons-react'
import { ThemeMenu } from './theme-choice'
import { useSignOut } from './use-sign-out'
import { useSession } from '../../lib/session'
import { PersonAvatar } from '../../ui/person-avatar'

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
          <span className="only-reader">{user.name}. Your account</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '8px 12px' }}>
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email ?? 'No e-mail address'}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/profile' })}
        >
          Your profile
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
            Administration
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
