import { z } from 'zod'
import { queryPlanSchema } from './plan'
import { tableViewSchema } from './table-view'

/** The answer to a plan as a file: as a table shows it, every row of it. */
export const exportAnswerSchema = z.strictObject({
  plan: queryPlanSchema,
  view: tableViewSchema,
  /** What the table is called: names the file. */
  name: z.string().trim().min(1).max(200),
  format: z.enum(['csv', 'xlsx']),
  /** Measures that are shown as per cent. */
  percent: z.array(z.int().min(0).max(4)).max(5).default([]),
})
export type ExportAnswerInput = z.input<typeof exportAnswerSchema>
export type ExportAnswer = z.output<typeof exportAnswerSchema>
