import { z } from 'zod'
import { CHARTS } from '../insights'
import { idSchema } from '../ids'
import { memberFieldSchema, subjectRefSchema } from '../monitored-metric'
import { PICTURE_KEY } from '../pictures'
import { COMPARISON_OPERATORS } from '../query/functions'
import { statementQuerySchema, STATEMENT_LANGUAGES } from '../statements/statements'

/** Columns of the grid that blocks lie on; rows are {@link GRID_ROW_PX} high. */
export const GRID_COLUMNS = 12
export const GRID_ROW_PX = 32
const GRID_ROWS_MAX = 2_000
const BLOCK_ROWS_MAX = 60
export const TEXT_BLOCK_MAX_CHARS = 8_000
const SENTENCE_MAX_CHARS = 500
export const KPI_FIGURES_MAX = 6

/** Where a block lies on its page, in columns and rows of the grid. */
export const gridPlaceSchema = z
  .strictObject({
    x: z
      .int()
      .min(0)
      .max(GRID_COLUMNS - 1),
    y: z.int().min(0).max(GRID_ROWS_MAX),
    w: z.int().min(1).max(GRID_COLUMNS),
    h: z.int().min(1).max(BLOCK_ROWS_MAX),
  })
  .refine(({ x, w }) => x + w <= GRID_COLUMNS, { message: 'Beyond the edge of the page.' })
export type GridPlace = z.output<typeof gridPlaceSchema>

/** Ids within a report are of the client's making. */
export const localIdSchema = z.string().regex(/^[a-z0-9]{6,12}$/)
/** Shown instead of the name of what a block shows; empty: that name. */
const titleSchema = z.string().trim().max(120).default('')
const text = (max: number) => z.string().max(max)

/** One figure of a row of key figures: a metric, or a figure of an insight. */
const kpiFigureSchema = z.strictObject({ subject: subjectRefSchema, label: titleSchema })
/** Which figure of a subject an observation looks at: over the report's period, or its change against another. */
export const OBSERVED_FIGURES = ['value', 'change', 'changePercent'] as const

const common = { id: localIdSchema, place: gridPlaceSchema }
export const blockSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('kpis'), figures: z.array(kpiFigureSchema).min(1).max(KPI_FIGURES_MAX) }),
  /** An insight as a chart, a table or a pivot; null: as the insight itself is drawn. */
  z.strictObject({
    ...common,
    kind: z.literal('insight'),
    insight: idSchema('insight'),
    chart: z.enum(CHARTS).nullable().default(null),
    title: titleSchema,
  }),
  /** A metric over time, or with `by` its largest members. */
  z.strictObject({
    ...common,
    kind: z.literal('metric'),
    metric: idSchema('metric'),
    grain: z.enum(['day', 'week', 'month', 'quarter', 'year']).default('month'),
    by: memberFieldSchema.nullable().default(null),
    chart: z.enum(['number', 'line', 'area', 'bar', 'table']).default('line'),
    title: titleSchema,
  }),
  z.strictObject({ ...common, kind: z.literal('forecast'), forecast: idSchema('forecast'), title: titleSchema }),
  /** A statement of a ledger. Its year and month follow the report's period where that has one. */
  z.strictObject({
    ...common,
    kind: z.literal('statement'),
    source: idSchema('source'),
    query: statementQuerySchema.omit({ year: true, through: true }),
    language: z.enum(STATEMENT_LANGUAGES).default('en'),
    /** Lines of accounts below each line. */
    accounts: z.boolean().default(false),
    title: titleSchema,
  }),
  /** Paragraphs, `# headings`, `- lists` and `**bold**`, with figures as `{{metric.Name|…}}`: see `text-tokens.ts`. */
  z.strictObject({ ...common, kind: z.literal('text'), text: text(TEXT_BLOCK_MAX_CHARS) }),
  /** Says one sentence when a figure meets a condition, and another when it does not; an empty one says nothing. */
  z.strictObject({
    ...common,
    kind: z.literal('observation'),
    subject: subjectRefSchema,
    of: z.enum(OBSERVED_FIGURES),
    against: z.enum(['previous', 'year']).default('previous'),
    op: z.enum(COMPARISON_OPERATORS),
    /** Of `changePercent`: parts of one. */
    value: z.number().min(-1e15).max(1e15),
    then: text(SENTENCE_MAX_CHARS),
    otherwise: text(SENTENCE_MAX_CHARS).default(''),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('image'),
    /** Null until one is chosen. */
    picture: z.string().regex(PICTURE_KEY).nullable(),
    alt: text(200).default(''),
  }),
  z.strictObject({ ...common, kind: z.literal('divider') }),
  /** On paper, what follows begins a page. */
  z.strictObject({ ...common, kind: z.literal('pageBreak') }),
])
export type ReportBlock = z.output<typeof blockSchema>
export type BlockKind = ReportBlock['kind']
export type BlockOf<K extends BlockKind> = Extract<ReportBlock, { kind: K }>
/** Blocks that show figures, and so are asked for. */
export const FIGURE_BLOCKS = [
  'kpis',
  'insight',
  'metric',
  'forecast',
  'statement',
  'text',
  'observation',
] as const satisfies readonly BlockKind[]
