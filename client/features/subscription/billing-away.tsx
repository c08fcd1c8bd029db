import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { describeError } from '../../lib/describe-error'

/** One part of the page cannot be read; everything else stands. */
export function BillingUnavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, advice } = describeError(error)
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />} title={`${title}.`} role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{advice}</Text>
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}
