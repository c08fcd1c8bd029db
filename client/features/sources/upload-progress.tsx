import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconFileText, IconX } from '@tabler/icons-react'
import { formatDuration } from './amounts'
import { secondsLeft } from './upload-plan'
import type { UploadProgress as Sent } from './uploader'
import { useFormat } from '../../lib/format'

/** Bytes sent, rate, time left, and the way out. */
export function UploadProgress({
  fileName,
  progress,
  onCancel,
}: {
  fileName: string
  progress: Sent
  onCancel: () => void
}) {
  const format = useFormat()
  const { sentBytes, totalBytes, bytesPerSecond, waiting } = progress
  const left = secondsLeft(totalBytes - sentBytes, bytesPerSecond)
  const isFinalizing = sentBytes >= totalBytes
  const statusText = waiting
    ? 'The connection dropped. Trying again by itself …'
    : isFinalizing
      ? 'Looking at the file …'
      : [
          bytesPerSecond === null ? null : `${format.bytes(bytesPerSecond)}/s`,
          left === null ? null : `about ${formatDuration(left)} left`,
        ]
          .filter((part) => part !== null)
          .join(' · ')
  return (
    <Stack gap="sm" p="lg" className="surface">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
          <IconFileText size={20} aria-hidden style={{ flex: 'none' }} />
          <Text fw={550} truncate>
            {fileName}
          </Text>
        </Group>
        <Button
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={onCancel}
          style={{ flex: 'none' }}
        >
          Cancel
        </Button>
      </Group>
      <Progress
        value={totalBytes === 0 ? 0 : (100 * sentBytes) / totalBytes}
        aria-label={`Sending ${fileName}`}
        animated={isFinalizing}
      />
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="figure">
          {format.bytes(sentBytes)} of {format.bytes(totalBytes)}
        </Text>
        <Text size="sm" c="dimmed" role="status">
          {statusText}
        </Text>
      </Group>
    </Stack>
  )
}
