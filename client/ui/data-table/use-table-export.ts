import { useCallback, useEffect, useRef } from 'react'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { TableView } from '../../../src/shared/query/table-view'
import { exportAnswer } from './export-answer'
import { useMay } from '../../lib/gate'
import type { TableExport } from './data-column'

/** Writes what a table shows into a file; nothing where somebody may not take figures along, or there is no question. */
export function useTableExport(
  given: { plan: QueryPlan | null; name: string; percent?: readonly number[] | undefined },
  view: TableView,
): TableExport | undefined {
  const may = useMay('export:data')
  const { plan, name, percent = [] } = given
  const asked = useRef({ plan, view, name, percent })
  useEffect(() => {
    asked.current = { plan, view, name, percent }
  })
  // The same whatever is shown, so that its button is not drawn again for each answer.
  const exportAs = useCallback<TableExport>(async (format) => {
    const now = asked.current
    if (now.plan) await exportAnswer({ ...now, plan: now.plan, format, percent: [...now.percent] })
  }, [])
  return may && plan !== null ? exportAs : undefined
}
