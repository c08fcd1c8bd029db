import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Metric } from '../../../src/shared/metrics'
import { describeFilter } from '../../lib/filters/filter-words'
import type { BuilderDataset } from '../../lib/filters/fields'
import { LinkAnchor } from '../../ui/links'
import { NeutralBadge } from '../../ui/quiet-badge'
import classes from './insights.module.css'
import { fieldLabeller } from './provenance'
import { VerifiedBadge } from './verified-badge'

const DIRECTION_PHRASES: Record<Metric['direction'], string> = {
  up: 'more is better',
  down: 'less is better',
  none: 'neither way is better',
}
function describeFormat(format: ColumnFormat | null): string {
  if (format === null) return 'shown as its columns are'
  if (format.style === 'currency') return `shown as money in ${format.currency}`
  return format.style === 'percent' ? 'shown as per cent' : 'shown as a plain number'
}
const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** What a metric of the catalogue means, where it is used: it is changed on its own page. */
export function MetricSummary({ metric, dataset }: { metric: Metric; dataset: BuilderDataset }) {
  const label = fieldLabeller([dataset, ...(dataset.linked ?? [])], metric.dataset)
  const where = metric.filters.map((filter) => describeFilter(filter, { label, catalogue: dataset.catalogue }))
  const rows = where.length > 0 ? [`only rows where ${where.join(' and ')}`] : []
  return (
    <Stack gap={4} className={classes.nested}>
      <Group gap={6}>
        <NeutralBadge>From the catalogue</NeutralBadge>
        {metric.verified && <VerifiedBadge verified={metric.verified} short />}
        <Anchor component="span" size="xs">
          <LinkAnchor to="/metrics/$id" params={{ id: metric.id }}>
            Open {metric.name}
          </LinkAnchor>
        </Anchor>
      </Group>
      <Code style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowWrap: 'anywhere' }}>{metric.formula}</Code>
      <Text size="xs" c="dimmed">
        {toSentence([DIRECTION_PHRASES[metric.direction], describeFormat(metric.format), ...rows].join(', '))}
      </Text>
    </Stack>
  )
}
