import { z } from 'zod'
import { localIdSchema } from './blocks'
import { reportPeriodSchema } from './reports'
import type { PivotResults } from '../charts/pivot-model'
import type { ErrorBody } from '../errors'
import type { ForecastGrain } from '../forecasts/result'
import type { Viz } from '../insights'
import type { SubjectRef } from '../monitored-metric'
import { fieldFilterSchema, type QueryPlan } from '../query/plan'
import type { QueryResult } from '../query/result'
import type { Statement, StatementLanguage } from '../statements/statements'

/** Values that readers set and marks that they clicked, over one page. */
export const TILE_FILTERS_MAX = 20
/** Different questions that one request asks at most. */
export const TILE_QUESTIONS_MAX = 120

/** A mark that was clicked filters every block but its own: the block, and which of the filters it made. */
const sourcesSchema = z
  .array(z.strictObject({ block: localIdSchema, filter: z.int().min(0) }))
  .max(TILE_FILTERS_MAX)
  .default([])

/**
 * `POST /api/reports/{id}/tiles`: every figure of a page in one request. The answer is NDJSON, one {@link TileAnswer} a
 * line, in the order in which they are ready.
 */
export const tilesSchema = z.strictObject({
  /** Which content: the draft takes the right to edit. */
  of: z.enum(['draft', 'published']),
  page: localIdSchema,
  /** Only these blocks; absent: all of the page. */
  blocks: z.array(localIdSchema).max(60).optional(),
  /** Instead of the report's own; absent: its own. */
  period: reportPeriodSchema.optional(),
  /** Instead of the report's own filters and beside each other: a row has to pass all of them. */
  filters: z.array(fieldFilterSchema).max(TILE_FILTERS_MAX),
  sources: sourcesSchema,
})
export type TilesRequest = z.output<typeof tilesSchema>
export type TilesRequestInput = z.input<typeof tilesSchema>

/** `POST /api/reports/{id}/export`: the report as it is now, or one block of it, as a file. */
export const exportReportSchema = z
  .strictObject({
    /** CSV is of one block. */
    format: z.enum(['pdf', 'xlsx', 'csv']),
    of: z.enum(['draft', 'published']).default('published'),
    block: localIdSchema.optional(),
    period: reportPeriodSchema.optional(),
    /** Absent: the report's own. */
    filters: z.array(fieldFilterSchema).max(TILE_FILTERS_MAX).optional(),
    sources: sourcesSchema,
  })
  .refine(({ format, block }) => format !== 'csv' || block !== undefined, {
    path: ['block'],
    error: 'Choose a block for a CSV file.',
  })
export type ExportReportInput = z.input<typeof exportReportSchema>

/** What of the page's period and filters a block follows: its rows may have no such date, or not reach a column. */
export interface TileContext {
  period: boolean
  /** Indexes of filters that are not applied. */
  unfiltered: number[]
}
/** A figure over one period, and over the one that it is held against. */
export interface FigureTile extends TileContext {
  subject: SubjectRef
  name: string
  direction: 'up' | 'down' | 'none'
  /** Reads the figure as per cent. */
  percent: boolean
  plan: QueryPlan
  result: QueryResult
}
export type FigureAnswer = FigureTile | { error: ErrorBody }
/** What a token of a text stands for. */
export type TokenAnswer = { figure: FigureTile } | { date: string } | { error: ErrorBody }

export type TileContent =
  | { kind: 'kpis'; figures: FigureAnswer[] }
  | ({
      kind: 'chart'
      name: string
      plan: QueryPlan
      viz: Viz
      result: QueryResult
      pivot?: PivotResults
    } & TileContext)
  | { kind: 'forecast'; name: string; grain: ForecastGrain; run: ForecastTile }
  | { kind: 'statement'; statement: Statement; language: StatementLanguage; accounts: boolean }
  /** By token as it is written. */
  | { kind: 'text'; tokens: Record<string, TokenAnswer> }
  /** `meets` null: there is no figure to look at. `sentence`: the one that is said; editions before it was told have none. */
  | { kind: 'observation'; meets: boolean | null; sentence?: string; tokens: Record<string, TokenAnswer> }
/** The past and the path ahead of a forecast, as its newest run has them. */
export interface ForecastTile {
  id: string
  /** First days of periods. */
  past: { period: string; value: number | null }[]
  future: { period: string; mean: number; lower80: number; upper80: number; lower95: number; upper95: number }[]
  format: QueryResult['columns'][number]['format']
  scale: number | null
  summary: string
  grade: string | null
  dataAsOf: string | null
}

/** One line of the answer. `hash` names what a tile shows: the same hash, the same figures. */
export type TileAnswer = { block: string } & ({ content: TileContent } | { error: ErrorBody })
/** The last line: everything was answered. Without it the answer broke off. */
export interface TilesEnd {
  end: true
  /** The oldest data of the page, ISO instant. */
  dataAsOf: string | null
}
