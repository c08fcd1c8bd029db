import { z } from 'zod'
import { localIdSchema, type BlockKind } from './blocks'
import { EDITION_AUDIENCES, type EditionAudience } from './editions'
import { versionSchema } from '../field-schemas'
import { mentionsSchema, noteBodySchema, type Note } from '../notes'

/** Comments that one report holds. */
export const COMMENTS_MAX = 500
/** Blocks that show nothing of which something could be said. */
const SILENT_BLOCKS: readonly BlockKind[] = ['divider', 'pageBreak']
export const isCommentable = ({ kind }: { kind: BlockKind }): boolean => !SILENT_BLOCKS.includes(kind)

export const createCommentSchema = z.strictObject({
  block: localIdSchema,
  body: noteBodySchema,
  /** Members that the text names with an @: they are told by mail. */
  mentions: mentionsSchema,
  /** A comment may quote figures: who has other rights reads it only where its author, who makes rules, said so. */
  audience: z.enum(EDITION_AUDIENCES).default('sameRights'),
})
export type CreateCommentInput = z.input<typeof createCommentSchema>
export const updateCommentSchema = z.strictObject({
  body: noteBodySchema,
  mentions: mentionsSchema,
  version: versionSchema,
})
export type UpdateCommentInput = z.input<typeof updateCommentSchema>
export const deleteCommentSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** Everything that was said of a block until now, done with or taken up again. */
export const resolveCommentsSchema = z.strictObject({ block: localIdSchema, resolved: z.boolean() })

export interface ReportComment extends Omit<Note, 'insightId' | 'bucket'> {
  reportId: string
  block: string
  audience: EditionAudience
  /** ISO instant and who; null while it is open. */
  resolvedAt: string | null
  resolvedByName: string | null
}
/** `GET /api/reports/{id}/comments`: the oldest first. */
export interface ReportComments {
  items: ReportComment[]
  nextCursor: null
  /** By block: how many were written by people who see other data, and are not shown. */
  withheld: Record<string, number>
  /** Blocks of which something can be said. */
  blocks: string[]
  /** Who asks may let everyone read a comment; false also where everyone sees the same. */
  mayRelease: boolean
}
