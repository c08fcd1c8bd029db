import { columnGroups } from './column-groups'
import type { ColumnSources } from './column-table'
import { columnRecords } from './records/column-records'
import { visibleRows } from './visible-rows'
import type { FigureSource } from '../query/figure-source'

/** Rows that are kept here, column by column. */
export const columnSource = (sources: ColumnSources): FigureSource => ({
  groups: (planContext, question) => columnGroups(planContext, question, sources),
  records: (planContext, ask) => columnRecords(planContext, ask, sources),
  visible: (planContext, of) => visibleRows(planContext, of, sources),
})
