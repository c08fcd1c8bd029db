import { QueryStatus } from '../../../ui/query-view'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
  const [saves, setSaves] = useState(0)
  const finish = (isUnfinished: boolean): void => {
    notifications.show({ message: 'Insight saved' })
    // The editor begins again from what is saved now, with what is not.
    if (isUnfinished) setSaves(saves + 1)
    else onDone()
  }
  return (
    <>
      <PageHeader title={`Edit ${insight.name}`} description="Preview your changes before saving." />
      <QueryStatus query={dataset} skeleton={<ScreenSkeleton />} />
      {dataset.data && (
        <InsightEditor key={saves} insight={insight} dataset={dataset.data} onSaved={finish} onCancel={onDone} />
      )}
    </>
  )
}

interface InsightEditorProps {
  insight: Insight
  dataset: Dataset
  onSaved: (isUnfinished: boolean) => void
  onCancel: () => void
}

function InsightEditor({ insight, dataset, onSaved, onCancel }: InsightEditorProps) {
  const { dataRange, pending } = useDataRange(dataset)
  const { linked, pending: linking } = useLinkedDataset(dataset)
  if (pending || linking) return <ScreenSkeleton />
  return (
    <InsightBuilder
      dataset={linked}
      dataRange={dataRange}
      initial={toPlanDraft(insight.plan, insight.viz, linked)}
      insight={insight}
      onSaved={(_saved, isUnfinished) => onSaved(isUnfinished)}
      onCancel={onCancel}
    />
  )
}
