import type { ForeignDatabase } from './foreign-database'
import { foreignGroups } from './foreign-groups'
import { foreignRecords, foreignVisible } from './foreign-records'
import type { FigureSource } from '../query/figure-source'

/** Rows that stay where they are: plans are put as statements to their database. */
export const foreignSource = (database: ForeignDatabase): FigureSource => ({
  groups: (world, question) => foreignGroups(world, question, database),
  records: (world, ask) => foreignRecords(world, ask, database),
  visible: (world, of) => foreignVisible(world, of, database),
})
