import { columnGroups } from './column-groups'
import type { ColumnSources } from './column-table'
import { columnRecords } from './records/column-records'
import { visibleRows } from './visible-rows'
import type { FigureSource } from '../query/figure-source'

/** Rows that are kept here, column by column. */
export const columnSource = (sources: ColumnSources): FigureSource => ({
  groups: (world, question) => columnGroups(world, question, sources),
  records: (world, ask) => columnRecords(world, ask, sources),
  visible: (world, of) => visibleRows(world, of, sources),
})
