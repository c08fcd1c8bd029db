import { z } from 'zod'
import { cleaningSchema, type CleaningReport } from './cleaning'
import { csvSettingsSchema, type FileInspection } from './files'
import type { RememberedImport } from './import-choices'
import { idSchema } from '../ids'

/** `POST /api/uploads/{id}/inspect`: guess everything, or read again with corrected settings and a recipe. */
export const inspectUploadSchema = z.strictObject({
  settings: csvSettingsSchema.partial().optional(),
  cleaning: cleaningSchema.optional(),
  /** Asks what was decided at an earlier import: into this dataset, else of a file of the same shape. */
  remember: z.strictObject({ dataset: idSchema('dataset').optional() }).optional(),
})
export type InspectUploadInput = z.infer<typeof inspectUploadSchema>

/** What inspection found: its columns and rows are those that leave the recipe. */
export interface CleanedInspection extends FileInspection {
  cleaning: CleaningReport
}
export interface UploadInspection extends CleanedInspection {
  /** Digest of the file's kind and headings as it was read, before its recipe. */
  shape: string
  /** Null where nothing was decided, or nobody asked. */
  remembered: RememberedImport | null
}
