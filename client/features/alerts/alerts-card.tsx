import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../src/shared/alerts'
import { SectionCard } from '../../ui/section-card'
import { AlertLine } from './alert-line'
import classes from './alerts.module.css'

interface AlertsCardProps {
  items: readonly Alert[]
  /** What the list is called. */
  label: string
  /** What is said while there are none. */
  nobody: string
  may: boolean
  /** The dialog of a new one. */
  making: (onClose: () => void) => ReactNode
}

/** The alerts of one thing on its page, and the way to a new one. */
export function AlertsCard({ items, label, nobody, may, making }: AlertsCardProps) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <SectionCard title="Alerts">
      <Stack gap="sm">
        {items.length === 0 ? (
          <Text size="sm" c="dimmed">
            {nobody}
          </Text>
        ) : (
          <ul className={classes.list} aria-label={label}>
            {items.map((alert) => (
              <AlertLine key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {may && (
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
      {isOpen && making(dialog.close)}
    </SectionCard>
  )
}
