import { Group, Text } from '@mantine/core'
import { countOf, rowsText } from './amounts'
import { loadedAt, rowCount, SOURCE_WORDS } from './run-words'
import { ToneBadge } from './tone-badge'
import { useFormat } from '../../lib/format'
import type { DataSource } from '../../../src/shared/sources'

/** State, rows, columns and age in one line. `now` in epoch ms. */
export function SourceFacts({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  const at = loadedAt(source)
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  return (
    <Group component="span" gap="4px 16px" mt={4}>
      <ToneBadge {...SOURCE_WORDS[source.state]} />
      {at !== null && (
        <Text span size="sm" className="figure">
          {source.datasets.length > 1 && `${countOf(format, source.datasets.length, 'table')} · `}
          {rowsText(format, rowCount(source))} · {countOf(format, columns, 'column')}
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
