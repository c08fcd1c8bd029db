import { Group, Progress, Table, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { countOf, rowsText } from './amounts'
import { progressWords } from './load-progress'
import { freshnessOf, loadedAt, progressOf, rowCount, RUN_WORDS, shareRead, SOURCE_WORDS } from './run-words'
import classes from './sources-screen.module.css'
import { ToneBadge } from './tone-badge'
import { useFormat } from '../../lib/format'
import { FreshnessBadge } from '../../ui/freshness-badge'
import { QuietBadge } from '../../ui/quiet-badge'
import type { DataSource } from '../../../src/shared/sources'

const FRESH_WORDS = {
  fresh: 'Up to date',
  stale: 'Over a month old',
  failed: 'Not updated',
  working: 'Updating',
} as const

/** One source at a glance. `now` in epoch ms. */
export function SourceRow({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  const { words, tone } = SOURCE_WORDS[source.frozen ? 'frozen' : source.state]
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  const freshness = freshnessOf(source, now)
  const at = loadedAt(source)
  const loading = progressOf(source.lastRuns)
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <Link to="/data-sources/$id" params={{ id: source.id }} className={classes.link}>
          {source.name}
        </Link>{' '}
        {source.sample && <QuietBadge>Sample</QuietBadge>}
        <Text size="xs" c="dimmed" truncate>
          {source.datasets.length > 1
            ? countOf(format, source.datasets.length, 'table')
            : (source.lastRun?.fileName ?? 'No file yet')}
        </Text>
      </Table.Th>
      <Table.Td data-label="State">{loading ? <Loading run={loading} /> : <ToneBadge {...{ tone, words }} />}</Table.Td>
      <Table.Td data-label="Rows" className="numeric">
        {format.count(rowCount(source))}
      </Table.Td>
      <Table.Td data-label="Columns" className="numeric">
        {format.count(columns)}
      </Table.Td>
      <Table.Td data-label="Last updated">
        <Group gap="sm" wrap="nowrap">
          {freshness && (
            <FreshnessBadge
              state={freshness}
              words={at === null ? FRESH_WORDS[freshness] : `${FRESH_WORDS[freshness]} · ${format.ago(at, now)}`}
            />
          )}
          {!freshness && <Text size="sm">–</Text>}
        </Group>
      </Table.Td>
      <Table.Td data-label="Last load">
        <LastLoad source={source} />
      </Table.Td>
    </Table.Tr>
  )
}

function Loading({ run }: { run: NonNullable<DataSource['lastRun']> }) {
  const format = useFormat()
  return (
    <div style={{ minWidth: 150 }}>
      <Text size="sm" className="figure">
        {progressWords(run, format)}
      </Text>
      <Progress size="xs" mt={4} value={100 * shareRead(run)} aria-label={`Loading ${run.fileName}`} />
    </div>
  )
}

function LastLoad({ source: { lastRun } }: { source: DataSource }) {
  const format = useFormat()
  if (!lastRun) return <Text size="sm">–</Text>
  const rejected = lastRun.rowsRejected === 0 ? '' : `, ${rowsText(format, lastRun.rowsRejected)} rejected`
  return (
    <Tooltip label={format.dateTime(lastRun.finishedAt ?? lastRun.startedAt)}>
      <Text size="sm">
        {RUN_WORDS[lastRun.state].words}
        {rejected}
      </Text>
    </Tooltip>
  )
}
