import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle, IconChartBar, IconCircleCheck, IconRefresh } from '@tabler/icons-react'
import { formatRowCount } from './amounts'
import { SourceErrorNotice } from './fault-notice'
import { rejectedRowsUrl, useRetryRun } from './queries'
import { isFailedRun } from './run-words'
import { loadErrorAdvice } from './run-advice'
import { useFormat } from '../../lib/format'
import type { Formatter } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { LinkButton } from '../../ui/links'
import type { SyncRun } from '../../../src/shared/sources'

/** How the last load ended: what came in and what comes next, or what is wrong, where, and what to do. */
export function LoadOutcome({ run, hasRows }: { run: SyncRun; hasRows: boolean }) {
  if (isFailedRun(run.state)) return <FailedLoad run={run} hasRows={hasRows} />
  if (run.state === 'succeeded' || run.state === 'unchanged') return <SucceededLoad run={run} />
  return null
}

function SucceededLoad({ run }: { run: SyncRun }) {
  const format = useFormat()
  const mayBuild = useMayWrite('create:insight')
  const title = succeededTitle(run, format)
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" py="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>{title}</Text>
          <Text size="sm">
            {run.fileName}.{' '}
            {run.trigger === 'rollback' ? 'Every insight shows these rows now.' : <RejectedRows run={run} />}
          </Text>
        </div>
        {mayBuild && (
          <LinkButton
            to="/insights/new"
            search={{ dataset: run.datasetId }}
            leftSection={<IconChartBar size={18} aria-hidden />}
          >
            Make an insight
          </LinkButton>
        )}
      </Group>
    </Alert>
  )
}

function succeededTitle(run: SyncRun, format: Formatter): string {
  if (run.trigger === 'rollback') return 'Back to an earlier version'
  if (run.state === 'unchanged') return 'Nothing new in this file: the data is as it was'
  return `${formatRowCount(format, run.rowsWritten)} loaded`
}

/** Rows kept aside, with the way to them. Never silent. */
export function RejectedRows({ run }: { run: SyncRun }) {
  const format = useFormat()
  if (run.rowsRejected === 0) return <>Every row could be read.</>
  return (
    <>
      {formatRowCount(format, run.rowsRejected)} could not be read.{' '}
      <Anchor href={rejectedRowsUrl(run.id)} download inherit underline="always">
        Download them with line and reason
      </Anchor>
    </>
  )
}

function FailedLoad({ run, hasRows }: { run: SyncRun; hasRows: boolean }) {
  const retry = useRetryRun()
  const mayRetry = useMayWrite('edit:source')
  const title = run.error?.message ?? 'The load was interrupted before it was done.'
  return (
    <>
      <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
        <Text size="sm">
          <strong>{run.fileName}</strong>
          {run.error?.line !== undefined && `, line ${run.error.line}`}. {loadErrorAdvice(run)}{' '}
          {hasRows ? 'The data from before is untouched.' : 'Nothing was stored.'}{' '}
          {run.rowsRejected > 0 && <RejectedRows run={run} />}
        </Text>
        {mayRetry && (
          <Button
            mt="sm"
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate(run.id)}
          >
            Retry
          </Button>
        )}
      </Alert>
      {retry.error && <SourceErrorNotice error={retry.error} onRetry={() => retry.mutate(run.id)} />}
    </>
  )
}
