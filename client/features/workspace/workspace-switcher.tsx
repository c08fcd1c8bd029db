import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react'
import { initials } from '../../lib/initials'
import classes from './workspace-switcher.module.css'
import { useSession } from '../../lib/session'

const Mark = ({ name }: { name: string }) => (
  <Avatar size={26} radius="sm" variant="filled" color="accent" aria-hidden>
    {initials(name)}
  </Avatar>
)

/** Names the tab's workspace and moves the tab to another one. The address carries the choice. */
export function WorkspaceSwitcher() {
  const { workspace, workspaces } = useSession()
  const navigate = useNavigate()
  if (!workspace) return null
  const move = (id: string) => void navigate({ to: '/data-sources', search: { w: id } })
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <Mark name={workspace.name} />
          <Text span fw={600} truncate>
            {workspace.name}
          </Text>
          <span className="only-reader">Switch workspace</span>
          <IconSelector size={16} stroke={1.6} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            leftSection={<Mark name={name} />}
            rightSection={id === workspace.id ? <IconCheck size={16} aria-label="Current" /> : null}
            onClick={() => move(id)}
          >
            <Text size="sm" truncate>
              {name}
            </Text>
            <Text size="xs" c="dimmed" tt="capitalize">
              {role}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/onboarding/workspace' })}
        >
          Add workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
