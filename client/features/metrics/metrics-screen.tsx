import { MutedText } from '../../ui/muted-text'
import { QueryStatus } from '../../ui/query-view'
import { Button, Stack, Text, VisuallyHidden, Badge, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus, IconRosetteDiscountCheck } from '@tabler/icons-react'
import classes from './metrics.module.css'
import { createMetric, suggestionsQuery } from './queries'
import { metricsQuery, useCatalogue } from '../../lib/query-builder/catalogue'
import { describeFilter, type FilterNaming } from '../../lib/query-builder/filter-draft'
import { filterNaming } from '../../lib/query-builder/filter-naming'
import { useFormat } from '../../lib/format'
import { notifyError } from '../../ui/notify-error'
import { SectionCard } from '../../ui/section-card'
import { TERMS } from '../../../src/shared/terms'
import type { SuggestedMetric, Metric } from '../../../src/shared/metrics'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'
import { useMayWrite } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

/** Metrics that the data suggests; nothing is made before one is kept. */
export function SuggestedMetrics() {
  const found = useQuery(suggestionsQuery())
  if (!found.data || found.data.length === 0) return null
  return (
    <SectionCard title="Suggested metrics">
      <ul className={classes.plain}>
        {found.data.map((one) => (
          <SuggestedMetricItem key={one.key} suggested={one} />
        ))}
      </ul>
    </SectionCard>
  )
}

function SuggestedMetricItem({ suggested }: { suggested: SuggestedMetric }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () => createMetric(suggested.input),
    onSuccess: () => client.invalidateQueries({ queryKey: ['metrics'] }),
    onError: notifyError,
  })
  const { input, reason, datasetName } = suggested
  return (
    <li className={classes.item}>
      <Stack gap={2} style={{ minWidth: 0, flex: '1 1 14rem' }}>
        <Text fw={600}>{input.name}</Text>
        <MutedText>
          {datasetName} · {reason}
        </MutedText>
      </Stack>
      <code className={classes.formula}>{input.formula}</code>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        Add<VisuallyHidden> {input.name}</VisuallyHidden>
      </Button>
    </li>
  )
}

export function MetricsScreen() {
  const may = useMayWrite('edit:metric')
  const list = useQuery(metricsQuery())
  const datasets = useQuery(loadedDatasetsQuery())
  const add = (
    <LinkButton to="/metrics/$id" params={{ id: 'new' }} leftSection={<IconPlus size={16} aria-hidden />}>
      Create metric
    </LinkButton>
  )
  const format = useFormat()
  const { catalogue } = useCatalogue()
  // Nothing until they are known; what is not among them then is of a source that is not there for this person.
  const nameOf = (id: string): string =>
    datasets.data ? (datasets.data.find((one) => one.id === id)?.name ?? 'Source deleted, or no access') : ''
  return (
    <>
      <PageHeader title="Metrics" actions={may && (list.data?.length ?? 0) > 0 ? add : undefined} />
      <Stack gap="lg">
        <QueryStatus query={list} skeleton={<TableSkeleton count={4} />} />
        {list.data?.length === 0 && (
          <EmptyState
            isRow={may}
            picture="insights"
            title="No metrics yet"
            sentence="Define once, use everywhere."
            action={may ? add : undefined}
          />
        )}
        {list.data && list.data.length > 0 && (
          <ul className={`surface ${classes.list}`} aria-label="Metrics">
            {list.data.map((metric) => (
              <MetricListItem
                key={metric.id}
                metric={metric}
                dataset={nameOf(metric.dataset)}
                naming={datasets.data && filterNaming(datasets.data, metric.dataset, { format, catalogue })}
              />
            ))}
          </ul>
        )}
        {may && list.data && <SuggestedMetrics />}
      </Stack>
    </>
  )
}

interface MetricListItemProps {
  metric: Metric
  dataset: string
  /** Absent until the columns are known. */
  naming: FilterNaming | undefined
}

function MetricListItem({ metric, dataset, naming }: MetricListItemProps) {
  const { id, name, synonyms, formula, filters, verified } = metric
  return (
    <li className={classes.item}>
      <Stack gap={2} style={{ minWidth: 0, flex: '1 1 14rem' }}>
        <Group gap="xs">
          <LinkAnchor to="/metrics/$id" params={{ id }} fw={600}>
            {name}
          </LinkAnchor>
          {verified && <VerifiedMetricBadge by={verified.byName} />}
        </Group>
        <MutedText>
          {[dataset, ...(synonyms.length > 0 ? [`${TERMS.synonyms}: ${synonyms.join(', ')}`] : [])]
            .filter(Boolean)
            .join(' · ')}
        </MutedText>
      </Stack>
      <Stack gap={2} className={classes.formula}>
        <code>{formula}</code>
        {naming && filters.length > 0 && (
          <span>where {filters.map((filter) => describeFilter(filter, naming)).join(' and ')}</span>
        )}
      </Stack>
    </li>
  )
}

export const VerifiedMetricBadge = ({ by }: { by: string }) => (
  <Badge color="green" leftSection={<IconRosetteDiscountCheck size={14} aria-hidden />} title={`Verified by ${by}`}>
    Verified
  </Badge>
)
