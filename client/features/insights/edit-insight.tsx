import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import { datasetsOf } from '../../../src/shared/plan-fields'
import type { Dataset } from '../../../src/shared/sources'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { Builder } from './builder'
import { draftOf } from './draft-plan'
import { datasetQuery } from './queries'
import { useHistory } from './use-history'
import { useLinked } from '../../lib/filters/use-linked'

interface EditInsightProps {
  insight: Insight
  onDone: () => void
}

/** The builder over a saved insight. */
export function EditInsight({ insight, onDone }: EditInsightProps) {
  const dataset = useQuery(datasetQuery(datasetsOf(insight.plan)[0] ?? ''))
  return (
    <>
      <PageHeader
        title={`Edit ${insight.name}`}
        description="Changes show in the preview; nothing is saved until you do."
      />
      {dataset.isPending && <ScreenSkeleton />}
      {dataset.error && <ErrorState error={dataset.error} onRetry={() => void dataset.refetch()} />}
      {dataset.data && <Editor insight={insight} dataset={dataset.data} onDone={onDone} />}
    </>
  )
}

function Editor({ insight, dataset, onDone }: EditInsightProps & { dataset: Dataset }) {
  const { history, pending } = useHistory(dataset)
  const { linked, pending: linking } = useLinked(dataset)
  if (pending || linking) return <ScreenSkeleton />
  return (
    <Builder
      dataset={linked}
      history={history}
      initial={draftOf(insight.plan, insight.viz, linked)}
      insight={insight}
      onSaved={() => {
        notifications.show({ message: 'Saved.' })
        onDone()
      }}
      onCancel={onDone}
    />
  )
}
