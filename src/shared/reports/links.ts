import { z } from 'zod'
import { localIdSchema, type ReportBlock } from './blocks'
import type { ReportKind } from './report-kinds'
import { reportPeriodSchema, type ReportPeriod } from './reports'
import type { TileAnswer } from './tiles'
import { fieldFilterSchema, scalarSchema, type Scalar } from '../query/plan'
import type { WorkspaceSettings } from '../workspaces/workspaces'

/** Links of one report that open something at the same time. */
export const LINKS_PER_REPORT_MAX = 20
export const LINK_DAYS_MAX = 90
export const LINK_DAYS_DEFAULT = 30
export const LINK_PASSCODE_MIN_CHARS = 6
export const LINK_PASSCODE_MAX_CHARS = 64
export const EMBED_ORIGINS_MAX = 10
/** Random bytes of a token: 160 bits. */
export const LINK_TOKEN_BYTES = 20
export const LINK_TOKEN = /^[0-9a-f]{40}$/

const HOST =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])(?::([1-9]\d{0,4}))?$/

/** An origin of https with a full name of a host, as browsers write it; null for any other text. */
function originOf(text: string): string | null {
  const origin = text.toLowerCase().replace(/\/$/, '').replace(/:443$/, '')
  const found = HOST.exec(origin)
  return found && Number(found[1] ?? 443) <= 65_535 ? origin : null
}
const originSchema = z
  .string()
  .trim()
  .max(270)
  .transform((text, context) => {
    const origin = originOf(text)
    if (origin !== null) return origin
    context.addIssue({ code: 'custom', message: 'Enter a site like https://intranet.example.com.' })
    return z.NEVER
  })

/** A filter of the report as a link sets it. `open`: viewers choose other values. */
const linkFilterSchema = z.strictObject({
  id: localIdSchema,
  filter: fieldFilterSchema.nullable().default(null),
  open: z.boolean().default(false),
})
export type LinkFilter = z.output<typeof linkFilterSchema>

/** `POST /api/reports/{id}/links`. */
export const createLinkSchema = z.strictObject({
  /** For whom it is; told to nobody outside. */
  name: z.string().trim().max(80).default(''),
  days: z.int().min(1).max(LINK_DAYS_MAX).default(LINK_DAYS_DEFAULT),
  passcode: z.string().min(LINK_PASSCODE_MIN_CHARS).max(LINK_PASSCODE_MAX_CHARS).nullable().default(null),
  /** Of a legacy report: number of the edition. */
  edition: z.int().min(1).nullable().default(null),
  /** Instead of the report's own. */
  period: reportPeriodSchema.nullable().default(null),
  periodOpen: z.boolean().default(false),
  filters: z.array(linkFilterSchema).max(10).default([]),
  /** Viewers may download it as a PDF. */
  download: z.boolean().default(false),
  /** Sites that may show it within a page of theirs. */
  origins: z.array(originSchema).max(EMBED_ORIGINS_MAX).default([]),
})
export type CreateLinkInput = z.input<typeof createLinkSchema>
/** What of the report a link shows, and what viewers may change. */
export type LinkTerms = Pick<
  z.output<typeof createLinkSchema>,
  'edition' | 'period' | 'periodOpen' | 'filters' | 'download' | 'origins'
>

/** `paused`: it opens nothing now, but would again: its creator, the plan or the report stands in the way. */
export const LINK_STATES = ['live', 'paused', 'expired', 'ended'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** A link as those see it who may share. Its address is told once, to who makes it. */
export interface ReportLink {
  id: string
  reportId: string
  reportName: string
  reportKind: ReportKind
  name: string
  createdBy: string
  createdByName: string
  /** ISO instants. */
  createdAt: string
  expiresAt: string
  endedAt: string | null
  state: LinkState
  /** Some of what the report shows was changed since it was shared, and is hidden until who made the link confirms it. */
  changed: boolean
  views: number
  lastViewedAt: string | null
  passcode: boolean
  download: boolean
  origins: string[]
  /** Number of the edition; null: the report as it is published. */
  edition: number | null
  /** Filters that are narrower than those of the report itself. */
  narrowed: boolean
}
/** The one answer that holds a token. */
export interface CreatedLink extends ReportLink {
  token: string
}

/** What viewers send beside an empty body: the token, and the proof that they know the passcode. */
export const LINK_TOKEN_HEADER = 'x-share-token'
export const LINK_PROOF_HEADER = 'x-share-proof'

export const linkPasscodeSchema = z.strictObject({ passcode: z.string().max(LINK_PASSCODE_MAX_CHARS) })
export interface LinkProof {
  proof: string
  /** ISO instant. */
  expiresAt: string
}
const viewSchema = z.strictObject({
  period: reportPeriodSchema.optional(),
  /** Of open filters: the values that rows may have; none: all. Absent: as the link begins. */
  filters: z
    .array(z.strictObject({ id: localIdSchema, values: z.array(scalarSchema).max(100) }))
    .max(10)
    .default([]),
})
export type SharedView = z.output<typeof viewSchema>
export const sharedTilesSchema = viewSchema.extend({
  page: localIdSchema,
  blocks: z.array(localIdSchema).max(60).optional(),
})
export type SharedTilesInput = z.input<typeof sharedTilesSchema>
export const sharedDocumentSchema = viewSchema
export const sharedValuesSchema = z.strictObject({ filter: localIdSchema })
export interface SharedValues {
  values: { value: Scalar; label: string }[]
}

/** `POST /api/shared/report`: what a link shows, without its figures; an edition comes with them. */
export type SharedReport =
  | { state: 'passcode' }
  | {
      state: 'open'
      kind: ReportKind
      name: string
      description: string
      workspace: string
      notation: Pick<WorkspaceSettings, 'numberLocale' | 'currency' | 'timeZone'>
      download: boolean
      period: ReportPeriod
      periodOpen: boolean
      /** Those that viewers may change, with the values that they begin with; null: a filter of another form. */
      filters: { id: string; label: string; values: Scalar[] | null }[]
      /** Filters that viewers may not change, in words: whose figures they see is said. */
      fixed: string[]
      pages: { id: string; name: string; blocks: ReportBlock[] }[]
      edition: SharedEdition | null
    }
export interface SharedEdition {
  n: number
  period: string | null
  note: string
  filters: string[]
  dataAsOf: string | null
  answers: TileAnswer[]
}
