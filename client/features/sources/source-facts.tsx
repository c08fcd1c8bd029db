import { Group, Text } from '@mantine/core'
import { formatCountOf, formatRowCount } from './amounts'
import { latestLoadedAt, totalRowCount, SOURCE_STATE_LABELS } from './run-words'
import { StatusBadge } from './tone-badge'
import { useFormat } from '../../lib/format'
import type { DataSource } from '../../../src/shared/sources'

/** State, rows, columns and age in one line. `now` in epoch ms. */
export function SourceSummary({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  const at = latestLoadedAt(source)
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  return (
    <Group component="span" gap="4px 16px" mt={4}>
      <StatusBadge {...SOURCE_STATE_LABELS[source.state]} />
      {at !== null && (
        <Text span size="sm" className="figure">
          {source.datasets.length > 1 && `${formatCountOf(format, source.datasets.length, 'table')} · `}
          {formatRowCount(format, totalRowCount(source))} · {formatCountOf(format, columns, 'column')}
        </Text>
      )}
      {at !== null && (
        <Text span size="sm" title={format.dateTime(at)}>
          Updated {format.ago(at, now)}
        </Text>
      )}
    </Group>
  )
}
