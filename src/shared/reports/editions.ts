import { z } from 'zod'
import type { ReportBlock } from './blocks'
import type { ReportKind } from './report-kinds'
import { reportPeriodSchema } from './reports'
import type { TileAnswer } from './tiles'
import type { WorkspaceSettings } from '../workspaces/workspaces'

/** A report with its figures: what papers are written from, and what an edition keeps for good. */
export interface ReportDocument {
  v: 1
  report: { id: string; kind: ReportKind; name: string; description: string }
  workspace: string
  /** Number of the edition; 0: the report as it is now. */
  n: number
  /** The report's period in words; null: each block has its own. */
  period: string | null
  /** Filters in words. */
  filters: string[]
  /** The oldest data in it, ISO instant. */
  dataAsOf: string | null
  /** What a correction corrects. */
  note: string
  madeBy: string
  /** ISO instant. */
  madeAt: string
  /** How figures and dates are written. */
  notation: Pick<WorkspaceSettings, 'numberLocale' | 'currency' | 'timeZone'>
  /** Which rows the figures are of. */
  datasets: { id: string; name: string; dataVersion: number }[]
  pages: { id: string; name: string; blocks: DocumentBlock[] }[]
}
export interface DocumentBlock {
  block: ReportBlock
  /** Null for blocks without figures. */
  answer: TileAnswer | null
}

/**
 * Who may open an edition: those who see the same of the data as who publishes it, and those who see everything; or
 * everyone who may see the report, whatever rules hide from them.
 */
export const EDITION_AUDIENCES = ['sameRights', 'everyone'] as const
export type EditionAudience = (typeof EDITION_AUDIENCES)[number]
export const EDITIONS_MAX = 1_000

/** `POST /api/reports/{id}/editions`: freezes what is published. */
export const publishEditionSchema = z.strictObject({
  /** Number of the publication that was looked at. */
  publication: z.int().min(1),
  /** Instead of the report's own period. */
  period: reportPeriodSchema.optional(),
  /** What is different; needed where the period has an edition. */
  note: z.string().trim().max(500).default(''),
  audience: z.enum(EDITION_AUDIENCES).default('sameRights'),
})
export type PublishEditionInput = z.input<typeof publishEditionSchema>
export const editionFileSchema = z.strictObject({ format: z.enum(['pdf', 'xlsx']).default('pdf') })
/** Which edition it is held against; absent: the one before it. */
export const differencesSchema = z.strictObject({ with: z.coerce.number().int().min(1).optional() })

/** A frozen report: its figures never change. A correction is the next edition. */
export interface Edition {
  id: string
  reportId: string
  n: number
  /** What its name says: "January 2026". */
  period: string | null
  note: string
  audience: EditionAudience
  /** SHA-256 of the document, hex. */
  hash: string
  publishedBy: string
  publishedByName: string
  /** ISO instant. */
  publishedAt: string
  dataAsOf: string | null
  signatures: EditionSignature[]
}
/** Somebody stands by an edition. */
export interface EditionSignature {
  userId: string
  name: string
  /** ISO instant. */
  at: string
}

/** A figure, and how its edition writes it; a dash where there is none. */
interface WrittenFigure {
  value: string | number | null
  text: string
}
/** A figure that is another in one of two editions. */
export interface EditionDifference {
  /** Of no other of the same two. */
  key: string
  page: string
  block: string
  /** What the figure is of: line and column. */
  figure: string
  before: WrittenFigure
  after: WrittenFigure
  /** By how much the later one is more; nothing ('') where one is missing, or no number. */
  change: WrittenFigure
}
