import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OverLimitScope, useMay } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { ScreenSkeleton } from '../../ui/skeletons'
import { EditInsight } from './edit-insight'
import type { InsightSlots } from './around-answer'
import { InsightView } from './insight-view'
import type { InsightViewProps } from './insight-view'
import { insightQuery } from './queries'

export interface InsightScreenProps extends Pick<InsightViewProps, 'annotations' | 'target' | keyof InsightSlots> {
  id: string
}

/** One insight: its answer, or the builder while it is edited. The address holds which. */
export function InsightScreen({ id, ...parts }: InsightScreenProps) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const insight = useQuery(insightQuery(id))
  const may = useMay('edit:insight')
  const show = (next: string | undefined): void =>
    void navigate({ to: '/insights/$id', params: { id }, search: next === undefined ? {} : { tab: next } })
  if (insight.isPending) return <ScreenSkeleton />
  if (!insight.data) return <ErrorState error={insight.error} onRetry={() => void insight.refetch()} />
  // Whoever kept the address of the builder and may not change the insight any more sees it instead.
  if (tab === 'edit' && may && !insight.data.frozen)
    return <EditInsight insight={insight.data} onDone={() => show(undefined)} />
  return (
    <OverLimitScope frozen={insight.data.frozen}>
      <InsightView insight={insight.data} asTable={tab === 'table'} onTabChange={show} {...parts} />
    </OverLimitScope>
  )
}
