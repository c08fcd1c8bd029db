import { Button, Loader, Progress, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { rowsText } from './amounts'
import { FaultNotice } from './fault-notice'
import classes from './file-queue.module.css'
import { Rejected } from './load-outcome'
import { progressWords } from './load-progress'
import { useCancelRun, useRetryRun } from './queries'
import { adviceOf } from './run-advice'
import { isActive, isBroken, RUN_WORDS, shareRead } from './run-words'
import { useMayStop } from './use-may-stop'
import { useFormat } from '../../lib/format'
import { useMayNow } from '../../lib/gate'
import type { Dataset, SyncRun } from '../../../src/shared/sources'

/** Loads of one source, each of a table of its own: how far each is, and what to do about one that failed. */
export function LoadList({ runs, datasets }: { runs: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  return (
    <ul className={classes.queue} aria-label="Loads of this source">
      {runs.map((run) => {
        const dataset = datasets.find(({ id }) => id === run.datasetId)
        return (
          <LoadLine
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

function LoadLine({ run, name, hasRows }: { run: SyncRun; name: string; hasRows: boolean }) {
  const may = useMayNow('edit:source')
  const mayStop = useMayStop()
  const cancel = useCancelRun()
  const active = isActive(run.state)
  return (
    <li className={classes.line}>
      <LoadSign run={run} />
      <Stack gap={2} className={classes.words}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {isBroken(run.state) ? <BrokenWords run={run} hasRows={hasRows} may={may} /> : <LoadWords run={run} />}
        {active && <Progress size="xs" mt={2} value={100 * shareRead(run)} aria-label={`Loading ${name}`} />}
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

function LoadSign({ run: { state } }: { run: SyncRun }) {
  if (isActive(state)) return <Loader size={18} aria-hidden className={classes.sign} />
  if (isBroken(state)) return <IconAlertCircle size={18} color="var(--bad)" aria-hidden className={classes.sign} />
  if (state === 'cancelled')
    return <IconCircleDashed size={18} color="var(--text-muted)" aria-hidden className={classes.sign} />
  return <IconCircleCheck size={18} color="var(--good)" aria-hidden className={classes.sign} />
}

function LoadWords({ run }: { run: SyncRun }) {
  const format = useFormat()
  const words = isActive(run.state)
    ? progressWords(run, format)
    : run.state === 'succeeded'
      ? `${rowsText(format, run.rowsWritten)} loaded`
      : RUN_WORDS[run.state].words
  return (
    <Text size="sm" c="dimmed" className="figure" role="status">
      {words}
      {run.state === 'succeeded' && run.rowsRejected > 0 && (
        <Text span size="sm" display="block" style={{ whiteSpace: 'normal' }}>
          <Rejected run={run} />
        </Text>
      )}
    </Text>
  )
}

function BrokenWords({ run, hasRows, may }: { run: SyncRun; hasRows: boolean; may: boolean }) {
  const retry = useRetryRun()
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {run.error?.message ?? 'The load was interrupted before it was done.'}
        {run.error?.line !== undefined && ` Line ${run.error.line}.`}
      </Text>
      <Text size="sm">
        {adviceOf(run)} {hasRows ? 'The data from before is untouched.' : 'Nothing of this table was stored.'}{' '}
        {run.rowsRejected > 0 && <Rejected run={run} />}
      </Text>
      {may && (
        <Button size="xs" mt={6} variant="default" loading={retry.isPending} onClick={() => retry.mutate(run.id)}>
          Retry
        </Button>
      )}
      {retry.error && <FaultNotice error={retry.error} />}
    </div>
  )
}
