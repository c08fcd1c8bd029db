import { Group, Progress, Table, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCountOf, formatRowCount } from './amounts'
import { describeLoadProgress } from './load-progress'
import {
  sourceFreshness,
  latestLoadedAt,
  combinedProgress,
  totalRowCount,
  LOAD_STATE_LABELS,
  readShare,
  SOURCE_STATE_LABELS,
} from './run-words'
import classes from './sources-screen.module.css'
import { StatusBadge } from './tone-badge'
import { useFormat } from '../../lib/format'
import { FreshnessBadge } from '../../ui/freshness-badge'
import { NeutralBadge } from '../../ui/quiet-badge'
import type { DataSource } from '../../../src/shared/sources'

const FRESHNESS_LABELS = {
  fresh: 'Up to date',
  stale: 'Over a month old',
  failed: 'Not updated',
  working: 'Updating',
} as const

/** One source at a glance. `now` in epoch ms. */
export function SourceRow({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  const { words, tone } = SOURCE_STATE_LABELS[source.frozen ? 'frozen' : source.state]
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  const freshness = sourceFreshness(source, now)
  const at = latestLoadedAt(source)
  const loading = combinedProgress(source.lastRuns)
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <Link to="/data-sources/$id" params={{ id: source.id }} className={classes.link}>
          {source.name}
        </Link>{' '}
        {source.sample && <NeutralBadge>Sample</NeutralBadge>}
        <Text size="xs" c="dimmed" truncate>
          {source.datasets.length > 1
            ? formatCountOf(format, source.datasets.length, 'table')
            : (source.lastRun?.fileName ?? 'No file yet')}
        </Text>
      </Table.Th>
      <Table.Td data-label="State">
        {loading ? <LoadingCell run={loading} /> : <StatusBadge {...{ tone, words }} />}
      </Table.Td>
      <Table.Td data-label="Rows" className="numeric">
        {format.count(totalRowCount(source))}
      </Table.Td>
      <Table.Td data-label="Columns" className="numeric">
        {format.count(columns)}
      </Table.Td>
      <Table.Td data-label="Last updated">
        <Group gap="sm" wrap="nowrap">
          {freshness && (
            <FreshnessBadge
              state={freshness}
              words={
                at === null ? FRESHNESS_LABELS[freshness] : `${FRESHNESS_LABELS[freshness]} · ${format.ago(at, now)}`
              }
            />
          )}
          {!freshness && <Text size="sm">–</Text>}
        </Group>
      </Table.Td>
      <Table.Td data-label="Last load">
        <LastLoadCell source={source} />
      </Table.Td>
    </Table.Tr>
  )
}

function LoadingCell({ run }: { run: NonNullable<DataSource['lastRun']> }) {
  const format = useFormat()
  return (
    <div style={{ minWidth: 150 }}>
      <Text size="sm" className="figure">
        {describeLoadProgress(run, format)}
      </Text>
      <Progress size="xs" mt={4} value={100 * readShare(run)} aria-label={`Loading ${run.fileName}`} />
    </div>
  )
}

function LastLoadCell({ source: { lastRun } }: { source: DataSource }) {
  const format = useFormat()
  if (!lastRun) return <Text size="sm">–</Text>
  const rejected = lastRun.rowsRejected === 0 ? '' : `, ${formatRowCount(format, lastRun.rowsRejected)} rejected`
  return (
    <Tooltip label={format.dateTime(lastRun.finishedAt ?? lastRun.startedAt)}>
      <Text size="sm">
        {LOAD_STATE_LABELS[lastRun.state].words}
        {rejected}
      </Text>
    </Tooltip>
  )
}
