import { Menu, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconCheck, IconPlus, IconRestore, IconSelector } from '@tabler/icons-react'
import { useState } from 'react'
import { DeletedWorkspacesDialog } from './deleted-workspaces'
import { deletedWorkspacesQuery } from './queries'
import { WorkspaceAvatar } from './workspace-avatar'
import classes from './workspace-switcher.module.css'
import { useSession } from '../../lib/session'

/** Names the tab's workspace and moves the tab to another one. The address carries the choice. */
export function WorkspaceSwitcher() {
  const { workspace, workspaces } = useSession()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [isDialogOpen, setBringing] = useState(false)
  const deleted = useQuery({ ...deletedWorkspacesQuery(), enabled: opened })
  if (!workspace) return null
  const move = (id: string) => void navigate({ to: '/data-sources', search: { w: id } })
  return (
    <>
      <Menu position="bottom-start" width={264} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <UnstyledButton className={classes.target}>
            <WorkspaceAvatar name={workspace.name} logo={workspace.logo} />
            <Text span fw={600} truncate>
              {workspace.name}
            </Text>
            <span className="only-reader">Switch workspace</span>
            <IconSelector size={16} stroke={1.6} aria-hidden className={classes.chevron} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name, role, logo }) => (
            <Menu.Item
              key={id}
              leftSection={<WorkspaceAvatar name={name} logo={logo} />}
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
            Create workspace
          </Menu.Item>
          {(deleted.data?.items.length ?? 0) > 0 && (
            <Menu.Item leftSection={<IconRestore size={16} aria-hidden />} onClick={() => setBringing(true)}>
              Deleted workspaces
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDialogOpen && <DeletedWorkspacesDialog onClose={() => setBringing(false)} />}
    </>
  )
}
