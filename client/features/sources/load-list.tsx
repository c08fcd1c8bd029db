import { Button, Loader, Progress, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { formatRowCount } from './amounts'
import { SourceErrorNotice } from './fault-notice'
import classes from './file-queue.module.css'
import { RejectedRows } from './load-outcome'
import { describeLoadProgress } from './load-progress'
import { useCancelRun, useRetryRun } from './queries'
import { loadErrorAdvice } from './run-advice'
import { isActiveRun, isFailedRun, LOAD_STATE_LABELS, readShare } from './run-words'
import { useMayCancelLoad } from './use-may-stop'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import type { Dataset, SyncRun } from '../../../src/shared/sources'

/** Loads of one source, each of a table of its own: how far each is, and what to do about one that failed. */
export function LoadList({ runs, datasets }: { runs: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  return (
    <ul className={classes.queue} aria-label="Loads of this source">
      {runs.map((run) => {
        const dataset = datasets.find(({ id }) => id === run.datasetId)
        return (
          <LoadListItem
            key={run.id}
            run={run}
            name={dataset?.name ?? run.fileName}
            hasRows={(dataset?.dataVersion ?? 0) > 0}
          />
        )
      })}
    </ul>
  )
}

function LoadListItem({ run, name, hasRows }: { run: SyncRun; name: string; hasRows: boolean }) {
  const may = useMayWrite('edit:source')
  const mayStop = useMayCancelLoad()
  const cancel = useCancelRun()
  const active = isActiveRun(run.state)
  return (
    <li className={classes.line}>
      <LoadIcon run={run} />
      <Stack gap={2} className={classes.words}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {isFailedRun(run.state) ? (
          <FailedLoadDetails run={run} hasRows={hasRows} may={may} />
        ) : (
          <LoadStatusText run={run} />
        )}
        {active && <Progress size="xs" mt={2} value={100 * readShare(run)} aria-label={`Loading ${name}`} />}
      </Stack>
      {active && mayStop && (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(run.id)}
          aria-label={`Cancel the load of ${name}`}
        >
          Cancel
        </Button>
      )}
    </li>
  )
}

function LoadIcon({ run: { state } }: { run: SyncRun }) {
  if (isActiveRun(state)) return <Loader size={18} aria-hidden className={classes.sign} />
  if (isFailedRun(state)) return <IconAlertCircle size={18} color="var(--bad)" aria-hidden className={classes.sign} />
  if (state === 'cancelled')
    return <IconCircleDashed size={18} color="var(--text-muted)" aria-hidden className={classes.sign} />
  return <IconCircleCheck size={18} color="var(--good)" aria-hidden className={classes.sign} />
}

function LoadStatusText({ run }: { run: SyncRun }) {
  const format = useFormat()
  const words = isActiveRun(run.state)
    ? describeLoadProgress(run, format)
    : run.state === 'succeeded'
      ? `${formatRowCount(format, run.rowsWritten)} loaded`
      : LOAD_STATE_LABELS[run.state].words
  return (
    <Text size="sm" c="dimmed" className="figure" role="status">
      {words}
      {run.state === 'succeeded' && run.rowsRejected > 0 && (
        <Text span size="sm" display="block" style={{ whiteSpace: 'normal' }}>
          <RejectedRows run={run} />
        </Text>
      )}
    </Text>
  )
}

function FailedLoadDetails({ run, hasRows, may }: { run: SyncRun; hasRows: boolean; may: boolean }) {
  const retry = useRetryRun()
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {run.error?.message ?? 'The load was interrupted before it was done.'}
        {run.error?.line !== undefined && ` Line ${run.error.line}.`}
      </Text>
      <Text size="sm">
        {loadErrorAdvice(run)} {hasRows ? 'The data from before is untouched.' : 'Nothing of this table was stored.'}{' '}
        {run.rowsRejected > 0 && <RejectedRows run={run} />}
      </Text>
      {may && (
        <Button size="xs" mt={6} variant="default" loading={retry.isPending} onClick={() => retry.mutate(run.id)}>
          Retry
        </Button>
      )}
      {retry.error && <SourceErrorNotice error={retry.error} />}
    </div>
  )
}
