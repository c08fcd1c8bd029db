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
  if (!may || plan === null) return undefined
  return (format) => exportAnswer({ plan, view, name, format, percent: [...percent] })
}
