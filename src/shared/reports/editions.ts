import type { ReportBlock } from './blocks'
import type { ReportKind } from './reports'
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

/** A frozen report: its figures never change. A correction is the next edition. */
export interface Edition {
  id: string
  reportId: string
  n: number
  /** What its name says: "January 2026". */
  period: string | null
  note: string
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

/** A figure that is another in one of two editions. */
export interface EditionDifference {
  page: string
  block: string
  /** What the figure is of: line and column. */
  figure: string
  before: string | number | null
  after: string | number | null
}
