import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { EmptyState } from './empty-state'
import { isPlanError, UpgradeHint } from './upgrade-hint'
import { ApiError } from '../lib/api'
import { describeError } from '../lib/describe-error'

export interface ErrorStateProps {
  error: unknown
  /** Asks again. */
  onRetry?: () => void
  /** When the figures still on screen were read; given, the refusal becomes a strip above them. */
  lastGoodAt?: string | undefined
  /** Stands for the whole page, and is its heading. */
  isPage?: boolean
}

/** What went wrong and what to do about it. Never the only thing on screen while good data is at hand. */
export function ErrorState({ error, onRetry, lastGoodAt, isPage = false }: ErrorStateProps) {
  const { title, advice, requestId } = describeError(error)
  const locked = isPlanError(error)
  const isRefused = error instanceof ApiError && error.body.code === 'forbidden'
  const retry = onRetry && !isLasting(error) && (
    <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
      Try again
    </Button>
  )
  if (lastGoodAt === undefined)
    return (
      <div role="alert">
        <EmptyState
          isPage={isPage}
          picture={locked || isRefused ? 'locked' : 'trouble'}
          title={title}
          sentence={advice}
          action={locked ? <UpgradeHint error={error} /> : retry}
        />
        <RequestId id={requestId} />
      </div>
    )
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert" mb="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {advice} Showing data from {lastGoodAt}.
        </Text>
        {retry}
      </Group>
      <UpgradeHint error={error} />
      <RequestId id={requestId} />
    </Alert>
  )
}

/** Of statuses that a second try of the same request gets again: it is refused for what it asks, not for when. */
const LASTING_STATUSES: readonly number[] = [400, 402, 403, 404, 410, 413, 415, 422]
const isLasting = (error: unknown): boolean => error instanceof ApiError && LASTING_STATUSES.includes(error.status)

function RequestId({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <Text size="xs" c="dimmed" mt="xs" ta="center">
      Reference ID: <code>{id}</code>
    </Text>
  )
}
