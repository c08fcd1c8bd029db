import { z } from 'zod'
import { idSchema } from './ids'
import { versionSchema } from './field-schemas'
import { GRAINS } from './query/date-range'

export const NOTE_MAX_CHARS = 2_000
const MENTIONS_MAX = 10
/** Notes and comments that one insight holds. */
export const NOTES_MAX = 500

/** Signs that turn the direction of text or end lines where nobody sees it; a line break and a tab are plain text. */
const HIDDEN_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Plain text of several lines. */
export const noteBodySchema = z
  .string()
  .max(NOTE_MAX_CHARS * 2)
  .transform((text) => text.replace(/\r\n?/g, '\n').replace(HIDDEN_CHARACTERS, '').normalize('NFC').trim())
  .refine((text) => text.length >= 1, { message: 'Enter a text.' })
  .refine((text) => text.length <= NOTE_MAX_CHARS, { message: `At most ${NOTE_MAX_CHARS} characters.` })

/** A unit of a time axis: its first day, or its first minute where the axis has hours. */
const noteBucketSchema = z.strictObject({
  start: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]\d{2}:\d{2}(:\d{2})?)?$/),
  grain: z.enum(GRAINS),
})
export type NoteBucket = z.infer<typeof noteBucketSchema>

export const mentionsSchema = z.array(idSchema('user')).max(MENTIONS_MAX).default([])
/** With `bucket` a note that stands on the chart, without it a comment. */
export const createNoteSchema = z.strictObject({
  body: noteBodySchema,
  bucket: noteBucketSchema.nullable().default(null),
  /** Members that the text names with an @: they are told by mail. */
  mentions: mentionsSchema,
})
export type CreateNoteInput = z.input<typeof createNoteSchema>
export const updateNoteSchema = z.strictObject({
  body: noteBodySchema,
  mentions: mentionsSchema,
  version: versionSchema,
})
export type UpdateNoteInput = z.input<typeof updateNoteSchema>
export const deleteNoteSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })

export interface Note {
  id: string
  insightId: string
  bucket: NoteBucket | null
  body: string
  mentions: { userId: string; name: string }[]
  authorId: string
  authorName: string
  authorAvatar: string | null
  version: number
  /** ISO instants. */
  createdAt: string
  editedAt: string | null
  mayEdit: boolean
  mayDelete: boolean
}
