import { z } from 'zod'
import { cleaningSchema, type CleaningReport } from './cleaning'
import { csvSettingsSchema, type FileInspection } from './files'

/** `POST /api/uploads/{id}/inspect`: guess everything, or read again with corrected settings and a recipe. */
export const inspectUploadSchema = z.strictObject({
  settings: csvSettingsSchema.partial().optional(),
  cleaning: cleaningSchema.optional(),
})
export type InspectUploadInput = z.infer<typeof inspectUploadSchema>

/** What inspection found: its columns and rows are those that leave the recipe. */
export interface UploadInspection extends FileInspection {
  cleaning: CleaningReport
}
