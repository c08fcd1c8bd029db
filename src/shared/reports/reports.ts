import { z } from 'zod'
import { REPORT_KINDS, type ReportKind } from './report-kinds'
import { blockSchema, localIdSchema, type ReportBlock } from './blocks'
import { descriptionSchema, listQuerySchema, nameSchema, versionSchema } from '../field-schemas'
import { absoluteRangeSchema, relativeRangeSchema } from '../query/date-range'
import { fieldSchema } from '../query/field'
import { fieldFilterSchema } from '../query/plan'

export const REPORT_PAGES_MAX = 30
export const REPORT_BLOCKS_MAX = 60
/** Reports that a workspace holds at most. */
export const REPORTS_MAX = 500
const REPORT_FILTERS_MAX = 10
export const FILTER_LABEL_MAX_CHARS = 80
const CONTENT_MAX_CHARS = 200_000

export const reportRangeSchema = z.discriminatedUnion('kind', [absoluteRangeSchema, relativeRangeSchema])
export type ReportRange = z.output<typeof reportRangeSchema>
/** The period of a whole report; null: each block keeps its own. */
export const reportPeriodSchema = z.strictObject({
  range: reportRangeSchema.nullable().default(null),
  compare: z.enum(['previous', 'year', 'none']).default('none'),
})
export type ReportPeriod = z.output<typeof reportPeriodSchema>

/** A filter that readers may set, over every block whose rows reach its column. `filter`: what it begins with. */
const reportFilterSchema = z.strictObject({
  id: localIdSchema,
  label: z.string().trim().min(1).max(FILTER_LABEL_MAX_CHARS),
  field: fieldSchema,
  filter: fieldFilterSchema.nullable().default(null),
})
export type ReportFilter = z.output<typeof reportFilterSchema>

const pageSchema = z.strictObject({
  id: localIdSchema,
  name: z.string().trim().min(1).max(80),
  blocks: z.array(blockSchema).max(REPORT_BLOCKS_MAX),
})
export type ReportPage = z.output<typeof pageSchema>

/** Which issue a content is refused for, with its path; null: none. */
function contentProblem({ pages, filters }: { pages: ReportPage[]; filters: ReportFilter[] }): string | null {
  const blocks = pages.flatMap((page): ReportBlock[] => page.blocks)
  if (blocks.length > REPORT_BLOCKS_MAX) return `A report holds up to ${REPORT_BLOCKS_MAX} blocks.`
  const ids = [...pages, ...blocks, ...filters].map(({ id }) => id)
  return new Set(ids).size === ids.length ? null : 'Two parts of the report have the same id.'
}

/** What a report shows: pages of blocks, its period, and the filters that readers may set. */
export const reportContentSchema = z
  .strictObject({
    v: z.literal(1),
    period: reportPeriodSchema,
    filters: z.array(reportFilterSchema).max(REPORT_FILTERS_MAX),
    pages: z.array(pageSchema).min(1).max(REPORT_PAGES_MAX),
  })
  .superRefine((content, context) => {
    const message = contentProblem(content)
    if (message !== null) context.addIssue({ code: 'custom', path: ['pages'], message })
    if (JSON.stringify(content).length > CONTENT_MAX_CHARS)
      context.addIssue({ code: 'custom', path: ['pages'], message: 'This report is too large. Split it into two.' })
  })
export type ReportContent = z.output<typeof reportContentSchema>
export type ReportContentInput = z.input<typeof reportContentSchema>

/** Contents to begin with, filled from what the workspace has. */
export const REPORT_TEMPLATES = ['blank', 'monday', 'sales', 'monthEnd', 'cash', 'board'] as const
export type ReportTemplate = (typeof REPORT_TEMPLATES)[number]

export const createReportSchema = z.strictObject({
  kind: z.enum(REPORT_KINDS),
  name: nameSchema,
  template: z.enum(REPORT_TEMPLATES).default('blank'),
})
export type CreateReportInput = z.input<typeof createReportSchema>
/** Saves the draft. What readers see changes when it is published. */
export const updateReportSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.default(''),
  content: reportContentSchema,
  version: versionSchema,
})
export type UpdateReportInput = z.input<typeof updateReportSchema>
export const publishReportSchema = z.strictObject({
  version: versionSchema,
  /** What is different: stands in the history, and of a correction on the edition. */
  note: z.string().trim().max(500).default(''),
})
export const archiveReportSchema = z.strictObject({ version: versionSchema, archived: z.boolean() })
export const deleteReportSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
export const listReportsSchema = listQuerySchema.extend({
  q: z.string().trim().max(100).optional(),
  kind: z.enum(REPORT_KINDS).optional(),
  /** Only those that show this insight, metric, forecast or source. */
  showing: z.string().max(40).optional(),
  /** `archived=1`: those that were put away instead of those in use. */
  archived: z.enum(['0', '1']).default('0'),
})
export type ListReportsQuery = z.output<typeof listReportsSchema>

/** A line of the list. */
export interface ReportSummary {
  id: string
  kind: ReportKind
  name: string
  description: string
  ownerId: string
  ownerName: string
  /** `draft`: never published. */
  status: 'draft' | 'published' | 'archived'
  /** The draft differs from what is published. Only told to those who may edit. */
  changed: boolean
  version: number
  createdAt: string
  updatedAt: string
  publishedAt: string | null
}
/** `GET /api/reports/{id}`. */
export interface Report extends ReportSummary {
  /** Null for those who may not edit. */
  draft: ReportContent | null
  /** What readers see; null until the first publication. */
  published: ReportContent | null
  /** Number of the publication; 0: never. */
  publication: number
}
/** A publication in the history. */
export interface ReportPublication {
  n: number
  note: string
  publishedBy: string
  publishedByName: string
  publishedAt: string
}
/** What stands in the way of publishing. `block` names where. */
export interface PublishProblem {
  block: string
  message: string
}

/** A reader's view of a report that has a name: period, filters and page. */
export const bookmarkSchema = z.strictObject({
  name: nameSchema,
  /** The search part of the report's address. */
  search: z.string().max(4_000),
})
export interface ReportBookmark {
  id: string
  name: string
  search: string
  createdAt: string
}
export const BOOKMARKS_MAX = 50

/** Pictures that a report holds at most, those of earlier publications included. */
export const REPORT_PICTURES_MAX = 100
/** What papers can show, too. */
export const REPORT_PICTURE_TYPES = ['image/png', 'image/jpeg'] as const
export const REPORT_PICTURE_MAX_BYTES = 2 * 1024 * 1024
/** `POST /files/reports/{id}/pictures`: the key that an image block names. */
export interface ReportPicture {
  picture: string
}
/** `version` is that of the report as it stands now. */
export const restorePublicationSchema = z.strictObject({ version: versionSchema })
