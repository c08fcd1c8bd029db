import { ActionIcon, Group } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import classes from './app-layout.module.css'
import { TrialNote } from './trial-note'

/** Below the navigation: how long the trial lasts, and the switch that folds it. */
export function NavigationFooter({ collapsed, onToggle }: { collapsed: boolean; onToggle?: () => void }) {
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.foot}>
      <Group justify="space-between" wrap={collapsed ? 'wrap' : 'nowrap'} gap="xs">
        <TrialNote collapsed={collapsed} />
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
    </div>
  )
}
