import { Button, Group, Progress, Stack, Text, Loader, Skeleton } from '@mantine/core'
import { IconFileText, IconX } from '@tabler/icons-react'
import { SourceErrorNotice } from '../source-error-notice'
import type { FileJob } from './upload-queue'
import { useFormat } from '../../../lib/format'
import { formatDuration } from '../../../../src/shared/figures/formatter'
import { secondsLeft } from './upload-parts'
import type { UploadProgress as Sent } from './chunked-upload'
import { TableSkeleton } from '../../../ui/skeletons'

export interface SingleFileUploadProps {
  job: FileJob
  onRetry: (key: number) => void
  onCancel: () => void
}

/** A single file until its tables are there. */
export function SingleFileUpload({ job: { key, file, state }, onRetry, onCancel }: SingleFileUploadProps) {
  switch (state.at) {
    case 'waiting':
      return null
    case 'sending':
      return <UploadProgress fileName={file.name} progress={state.progress} onCancel={onCancel} />
    case 'opening':
      return <ParsingFile fileName={file.name} onCancel={onCancel} />
    case 'failed':
      return (
        <SourceErrorNotice error={state.error} subject={file.name} onRetry={() => onRetry(key)} onPickFile={onCancel} />
      )
    case 'opened':
      return null
  }
}

function CancelButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={onClick} style={{ flex: 'none' }}>
      Cancel
    </Button>
  )
}

/** Bytes sent, rate, time left, and the way out. */
function UploadProgress({ fileName, progress, onCancel }: { fileName: string; progress: Sent; onCancel: () => void }) {
  const format = useFormat()
  const { sentBytes, totalBytes, bytesPerSecond, waiting } = progress
  const left = secondsLeft(totalBytes - sentBytes, bytesPerSecond)
  const isFinalizing = sentBytes >= totalBytes
  const statusText = waiting
    ? 'Connection lost. Retrying…'
    : isFinalizing
      ? 'Processing file…'
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
        <CancelButton onClick={onCancel} />
      </Group>
      <Progress
        value={totalBytes === 0 ? 0 : (100 * sentBytes) / totalBytes}
        aria-label={`Uploading ${fileName}`}
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

/** A file that has arrived and is being taken apart: a large workbook takes some seconds. */
function ParsingFile({ fileName, onCancel }: { fileName: string; onCancel?: () => void }) {
  return (
    <Stack gap="md" role="status" aria-label={`Reading ${fileName}`}>
      <Group className="surface" p="md" gap="sm" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
          <Loader size={18} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm">
            Finding tables in <strong style={{ overflowWrap: 'anywhere' }}>{fileName}</strong>…
          </Text>
        </Group>
        {onCancel && <CancelButton onClick={onCancel} />}
      </Group>
      <Skeleton h={92} radius="lg" />
      <TableSkeleton count={8} />
    </Stack>
  )
}

/** One table on its way to the screen. */
export function ParsingTable({ name }: { name: string }) {
  return (
    <Stack gap="md" role="status" aria-label={`Reading ${name}`}>
      <Skeleton h={92} radius="lg" />
      <TableSkeleton count={8} />
    </Stack>
  )
}
