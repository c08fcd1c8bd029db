import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../src/shared/alerts'
import { SectionCard } from '../../ui/section-card'
import { AlertListItem } from './alert-line'
import classes from './alerts.module.css'

interface AlertsCardProps {
  items: readonly Alert[]
  /** What the list is called. */
  label: string
  /** What is said while there are none. */
  emptyText: string
  canEdit: boolean
  /** The dialog of a new one. */
  renderDialog: (onClose: () => void) => ReactNode
}

/** The alerts of one thing on its page, and the way to a new one. */
export function AlertsCard({ items, label, emptyText, canEdit, renderDialog }: AlertsCardProps) {
  const [isDialogOpen, dialog] = useDisclosure(false)
  return (
    <SectionCard title="Alerts">
      <Stack gap="sm">
        {items.length === 0 ? (
          <Text size="sm" c="dimmed">
            {emptyText}
          </Text>
        ) : (
          <ul className={classes.list} aria-label={label}>
            {items.map((alert) => (
              <AlertListItem key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {canEdit && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBellPlus size={14} aria-hidden />}
              onClick={dialog.open}
            >
              Alert me
            </Button>
          </Group>
        )}
      </Stack>
      {isDialogOpen && renderDialog(dialog.close)}
    </SectionCard>
  )
}
