import { ActionIcon, Group, Text } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './app-layout.module.css'
import { trialWords } from './trial-words'
import { useSession } from '../../lib/session'

/** Below the navigation: how long the trial lasts, and the switch that folds it. */
export function NavigationFoot({ collapsed, onToggle }: { collapsed: boolean; onToggle?: () => void }) {
  const { workspace } = useSession()
  // Read once: the shell is drawn anew often, the day changes rarely.
  const [now] = useState(() => Date.now())
  const words = trialWords(workspace?.entitlements ?? null, now)
  if (words === null && !onToggle) return null
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <Group className={classes.foot} justify="space-between" wrap="nowrap" gap="xs">
      {!collapsed && words !== null && (
        <Text size="xs" c="dimmed" pl={8}>
          {words}
        </Text>
      )}
      {onToggle && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          ml="auto"
          onClick={onToggle}
          aria-expanded={!collapsed}
          aria-label={collapsed ? 'Expand navigation' : 'Collapse navigation'}
        >
          <Icon size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
