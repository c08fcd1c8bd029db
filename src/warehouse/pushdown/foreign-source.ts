import type { ForeignDatabase } from './foreign-database'
import { foreignGroups } from './foreign-groups'
import { foreignRecords, foreignVisible } from './foreign-records'
import type { FigureSource } from '../query/figure-source'

/** Rows that stay where they are: plans are put as statements to their database. */
export const foreignSource = (database: ForeignDatabase): FigureSource => ({
  groups: (planContext, question) => foreignGroups(planContext, question, database),
  records: (planContext, ask) => foreignRecords(planContext, ask, database),
  visible: (planContext, of) => foreignVisible(planContext, of, database),
})
