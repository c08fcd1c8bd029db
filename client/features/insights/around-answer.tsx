import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { timeAxis } from '../../ui/chart/marks'
import type { TimeAxis } from '../../ui/chart/marks'
import { RecordsDrawer } from './records-drawer'
import type { RecordsRequest } from './records-drawer'

/** What belongs to an insight beside its answer; made elsewhere. */
export interface InsightSlots {
  /** What changed in it and what accounts for that. `onRecords` shows the rows behind something. */
  renderFindings?: (parts: { insight: Insight; onRecords: (plan: QueryPlan, title: string) => void }) => ReactNode
  /** Its targets and who is told when it leaves its limits. */
  renderMonitoring?: (insight: Insight) => ReactNode
  /** What people say of it, given the units of time it is split by. */
  renderNotes?: (axis: TimeAxis | null) => ReactNode
}

/** Below the answer of an insight: what changed, what accounts for it, what people say. */
export function InsightSections({
  insight,
  result,
  renderFindings,
  renderMonitoring,
  renderNotes,
}: InsightSlots & { insight: Insight; result: QueryResult | null }) {
  const format = useCellFormatter()
  const [records, setRecords] = useState<RecordsRequest | null>(null)
  return (
    <>
      {renderFindings?.({ insight, onRecords: (plan, title) => setRecords({ plan, title }) })}
      {renderMonitoring?.(insight)}
      {renderNotes?.(result && timeAxis(result, format))}
      <RecordsDrawer records={records} onClose={() => setRecords(null)} />
    </>
  )
}
