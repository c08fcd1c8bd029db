import { z } from 'zod'
import { columnFormatSchema, COLUMN_ROLES } from './files'
import { versionSchema } from '../field-schemas'
import { exprSchema } from '../query/expression'

/**
 * `POST /api/datasets/{id}/computed` and `PUT /api/datasets/{id}/computed/{key}`: a column worked out from others of the
 * same row: a number, a text, a date, or a condition that is true or false. `version` is the dataset's.
 */
export const calculatedColumnSchema = z.strictObject({
  label: z.string().trim().min(1).max(200),
  expr: exprSchema,
  format: columnFormatSchema,
  /** Absent: numbers are figures, dates are times, everything else is a split. */
  role: z.enum(COLUMN_ROLES).optional(),
  version: versionSchema,
})
export type CalculatedColumnInput = z.infer<typeof calculatedColumnSchema>

/** `DELETE …/computed/{key}?version=&force=1`: `force` once the insights that use it were seen. */
export const removeCalculatedColumnSchema = z.strictObject({
  version: z.coerce.number().pipe(versionSchema),
  force: z.enum(['0', '1']).default('0'),
})
/** Computed columns of one dataset. */
export const CALCULATED_COLUMNS_MAX = 50
