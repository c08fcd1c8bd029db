import { z } from 'zod'
import { versionSchema } from '../field-schemas'
import { passwordSchema } from '../session'

/** Body of `POST /api/workspace/delete`: the name is typed as a confirmation; `password` as people without one lack it. */
export const deleteWorkspaceSchema = z.strictObject({
  name: z.string().max(80),
  version: versionSchema,
  password: passwordSchema.optional(),
})
export type DeleteWorkspaceInput = z.input<typeof deleteWorkspaceSchema>
