import { Alert, Anchor, Button, Group, Loader, Progress, Stack, Text } from '@mantine/core'
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChartBar,
  IconCircleCheck,
  IconCircleDashed,
  IconRefresh,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../../lib/format'
import { formatCountOf, formatRowCount, type Formatter } from '../../../../src/shared/figures/formatter'
import { LoadProgress, describeLoadProgress, useMayCancelLoad } from './load-progress'
import { DataIssues, ImportIssues, hasDataIssues } from './import-issues'
import { loadErrorAdvice } from '../../../../src/shared/data-sources/load-errors'
import { latestBatch, isActiveRun, isFailedRun, readShare, runStatus } from '../load-status'
import { useMayWrite } from '../../../lib/gate'
import { LinkButton } from '../../../ui/buttons/links'
import type { ColumnRole } from '../../../../src/shared/data-sources/files'
import type { Dataset, DataSource, SyncRun } from '../../../../src/shared/data-sources/data-sources'
import { SourceErrorNotice } from '../source-error-notice'
import classes from '../progress-list.module.css'
import { useCancelRun, useRetryRun, rejectedRowsUrl } from '../queries'

/** What is being loaded, and how the last loads ended. `quiet`: another file is being added, so outcomes are not news. */
export function CurrentLoads({ source, quiet }: { source: DataSource; quiet: boolean }) {
  const { lastRuns, datasets } = source
  const batch = latestBatch(lastRuns)
  const [only] = batch
  const loading = lastRuns.some(({ state }) => isActiveRun(state))
  if (quiet && !loading) return null
  if (batch.length === 1 && only) {
    const dataset = datasets.find(({ id }) => id === only.datasetId)
    return isActiveRun(only.state) ? <LoadProgress run={only} /> : <LoadOutcome run={only} dataset={dataset} />
  }
  const showsList = batch.some(
    (run) => isActiveRun(run.state) || isFailedRun(run.state) || runStatus(run).tone === 'warn',
  )
  return (
    <>
      {!loading && <BatchSucceeded batch={batch} datasets={datasets} />}
      {showsList && <LoadList runs={batch} datasets={datasets} />}
    </>
  )
}

/** The table that an insight is first made of: of those with days and figures the one with most rows. */
function suggestedDatasetId(done: readonly SyncRun[], datasets: readonly Dataset[]): string | null {
  const loaded = datasets.filter(({ id }) => done.some(({ datasetId }) => datasetId === id))
  const has = ({ columns }: Dataset, role: ColumnRole): boolean =>
    columns.some((column) => !column.hidden && column.role === role)
  const worth = (dataset: Dataset): number => Number(has(dataset, 'measure')) * 2 + Number(has(dataset, 'time'))
  return loaded.toSorted((a, b) => worth(b) - worth(a) || b.rowCount - a.rowCount)[0]?.id ?? null
}

function BatchSucceeded({ batch, datasets }: { batch: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  const format = useFormat()
  const done = batch.filter(({ state }) => state === 'succeeded' || state === 'unchanged')
  const [largest] = done.toSorted((a, b) => b.rowsWritten - a.rowsWritten)
  if (!largest) return null
  const rows = done.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
  const files = new Set(done.map(({ fileName }) => fileName)).size
  const loaded = datasets.filter(({ id }) => done.some(({ datasetId }) => datasetId === id))
  return (
    <LoadedAlert
      title={`${formatCountOf(format, done.length, 'table')} imported, ${formatRowCount(format, rows)}`}
      datasetId={suggestedDatasetId(done, datasets) ?? largest.datasetId}
      lacking={done.some((run) => runStatus(run).tone === 'warn') || loaded.some(hasDataIssues)}
    >
      {files === 1 ? largest.fileName : formatCountOf(format, files, 'file')}
    </LoadedAlert>
  )
}

interface LoadedAlertProps {
  title: string
  datasetId: string
  /** Rows are missing or double: it did not end simply well. */
  lacking: boolean
  children: ReactNode
}

/** What came in, and for whom may make one the way to an insight of it. */
function LoadedAlert({ title, datasetId, lacking, children }: LoadedAlertProps) {
  const mayBuild = useMayWrite('create:insight')
  const Icon = lacking ? IconAlertTriangle : IconCircleCheck
  return (
    <Alert color={lacking ? 'yellow' : 'green'} icon={<Icon aria-hidden />} role="status" py="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Text fw={600}>{title}</Text>
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            {children}
          </Text>
        </div>
        {mayBuild && (
          <LinkButton
            to="/insights/new"
            search={{ dataset: datasetId }}
            leftSection={<IconChartBar size={18} aria-hidden />}
          >
            Create insight
          </LinkButton>
        )}
      </Group>
    </Alert>
  )
}

/** Loads of one source, each of a table of its own: how far each is, and what to do about one that failed. */
function LoadList({ runs, datasets }: { runs: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  return (
    <ul className={classes.queue} aria-label="Imports of this source">
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
        {active && <Progress size="xs" mt={2} value={100 * readShare(run)} aria-label={`Importing ${name}`} />}
      </Stack>
      {active && mayStop && (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(run.id)}
          aria-label={`Cancel import of ${name}`}
        >
          Cancel
        </Button>
      )}
    </li>
  )
}

function LoadIcon({ run }: { run: SyncRun }) {
  const { state } = run
  if (isActiveRun(state)) return <Loader size={18} aria-hidden className={classes.sign} />
  if (isFailedRun(state)) return <IconAlertCircle size={18} color="var(--bad)" aria-hidden className={classes.sign} />
  if (state === 'cancelled')
    return <IconCircleDashed size={18} color="var(--text-muted)" aria-hidden className={classes.sign} />
  if (runStatus(run).tone === 'warn')
    return <IconAlertTriangle size={18} color="var(--warn)" aria-hidden className={classes.sign} />
  return <IconCircleCheck size={18} color="var(--good)" aria-hidden className={classes.sign} />
}

function LoadStatusText({ run }: { run: SyncRun }) {
  const format = useFormat()
  const words = isActiveRun(run.state)
    ? describeLoadProgress(run, format)
    : run.state === 'succeeded'
      ? succeededTitle(run, format)
      : runStatus(run).words
  return (
    <Text size="sm" c="dimmed" role="status" component="div">
      <span className="figure">{words}</span>
      {run.state === 'succeeded' && <ImportIssues run={run} />}
    </Text>
  )
}

const INTERRUPTED_WORDS = 'Import interrupted'

function FailedLoadDetails({ run, hasRows, may }: { run: SyncRun; hasRows: boolean; may: boolean }) {
  const retry = useRetryRun()
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {run.error?.message ?? INTERRUPTED_WORDS}
        {run.error?.line !== undefined && ` Line ${run.error.line}.`}
      </Text>
      <Text size="sm">
        {loadErrorAdvice(run)} {keptWords(hasRows)} {run.rowsRejected > 0 && <RejectedRows run={run} />}
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

/** What is left after a load that failed. */
const keptWords = (hasRows: boolean): string => (hasRows ? 'Existing data is unchanged.' : 'Nothing was imported.')

/** How the last load ended: what came in and what comes next, or what is wrong, where, and what to do. */
function LoadOutcome({ run, dataset }: { run: SyncRun; dataset: Dataset | undefined }) {
  if (isFailedRun(run.state)) return <FailedLoad run={run} hasRows={(dataset?.dataVersion ?? 0) > 0} />
  if (run.state === 'succeeded' || run.state === 'unchanged') return <SucceededLoad run={run} dataset={dataset} />
  return null
}

function SucceededLoad({ run, dataset }: { run: SyncRun; dataset: Dataset | undefined }) {
  const format = useFormat()
  const lacking = runStatus(run).tone === 'warn' || (dataset !== undefined && hasDataIssues(dataset))
  return (
    <LoadedAlert title={succeededTitle(run, format)} datasetId={run.datasetId} lacking={lacking}>
      {run.fileName}
      <ImportIssues run={run} />
      {dataset && <DataIssues dataset={dataset} run={run} />}
    </LoadedAlert>
  )
}

/** What a load brought in, in a few words. */
export function succeededTitle(run: SyncRun, format: Formatter): string {
  if (run.trigger === 'rollback')
    return run.restoredVersion === null
      ? 'Earlier version restored'
      : `Version ${format.count(run.restoredVersion)} restored`
  if (run.state === 'unchanged') return 'No changes in this file'
  if (run.mode !== 'upsert') return `${formatRowCount(format, run.rowsWritten)} imported`
  const added = Math.max(0, run.rowsWritten - run.rowsUpdated)
  return `${formatRowCount(format, added)} added, ${format.count(run.rowsUpdated)} updated`
}

/** Rows of a load that could not be read, with the way to them. */
function RejectedRows({ run }: { run: SyncRun }) {
  const format = useFormat()
  return (
    <Anchor href={rejectedRowsUrl(run.id)} download inherit underline="always">
      Download {formatRowCount(format, run.rowsRejected)} rejected
    </Anchor>
  )
}

function FailedLoad({ run, hasRows }: { run: SyncRun; hasRows: boolean }) {
  const retry = useRetryRun()
  const mayRetry = useMayWrite('edit:source')
  const title = (run.error?.message ?? INTERRUPTED_WORDS).replace(/\.$/, '')
  return (
    <>
      <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
        <Text size="sm">
          <strong>{run.fileName}</strong>
          {run.error?.line !== undefined && `, line ${run.error.line}`}. {loadErrorAdvice(run)} {keptWords(hasRows)}{' '}
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
