import { z } from 'zod'
import { idSchema } from '../ids'
import { columnKeySchema } from '../data-sources/files'

/** A column of a dataset, seen from the rows of another by the relations that lead there. */
export const fieldSchema = z.strictObject({
  dataset: idSchema('dataset'),
  column: columnKeySchema,
  via: z.array(idSchema('relation')).max(6).optional(),
})
export type Field = z.infer<typeof fieldSchema>
