import { Button, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import classes from './metrics.module.css'
import { createMetric, suggestionsQuery } from './queries'
import { notifyError } from '../../ui/notify-refusal'
import { SectionCard } from '../../ui/section-card'
import type { SuggestedMetric } from '../../../src/shared/metrics'

/** Metrics that the data suggests; nothing is made before one is kept. */
export function SuggestedMetrics() {
  const found = useQuery(suggestionsQuery())
  if (!found.data || found.data.length === 0) return null
  return (
    <SectionCard title="Suggested" description="Made from your columns and ledgers. Keep what fits; it can be changed.">
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
        <Text size="sm" c="dimmed">
          {datasetName} · {reason}
        </Text>
      </Stack>
      <code className={classes.formula}>{input.formula}</code>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        Keep<VisuallyHidden> {input.name}</VisuallyHidden>
      </Button>
    </li>
  )
}
