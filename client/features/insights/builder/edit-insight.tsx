import { QueryStatus } from '../../../ui/query-view'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { Insight } from '../../../../src/shared/insights'
import { datasetIdsOf } from '../../../../src/shared/query/plan-fields'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { PageHeader } from '../../../ui/page-header'
import { ScreenSkeleton } from '../../../ui/skeletons'
import { InsightBuilder } from './insight-builder'
import { toPlanDraft } from './build-plan'
import { datasetQuery } from '../../../lib/queries/data-source-queries'
import { useDataRange } from '../data-range'
import { useLinkedDataset } from '../../../lib/query-builder/linked-datasets'

interface EditInsightProps {
  insight: Insight
  onDone: () => void
}

export function EditInsight({ insight, onDone }: EditInsightProps) {
  const dataset = useQuery(datasetQuery(datasetIdsOf(insight.plan)[0] ?? ''))
  return (
    <>
      <PageHeader title={`Edit ${insight.name}`} description="Preview your changes before saving." />
      <QueryStatus query={dataset} skeleton={<ScreenSkeleton />} />
      {dataset.data && <InsightEditor insight={insight} dataset={dataset.data} onDone={onDone} />}
    </>
  )
}

function InsightEditor({ insight, dataset, onDone }: EditInsightProps & { dataset: Dataset }) {
  const { dataRange, pending } = useDataRange(dataset)
  const { linked, pending: linking } = useLinkedDataset(dataset)
  if (pending || linking) return <ScreenSkeleton />
  return (
    <InsightBuilder
      dataset={linked}
      dataRange={dataRange}
      initial={toPlanDraft(insight.plan, insight.viz, linked)}
      insight={insight}
      onSaved={() => {
        notifications.show({ message: 'Insight saved' })
        onDone()
      }}
      onCancel={onDone}
    />
  )
}
