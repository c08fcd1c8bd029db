import { z } from 'zod'
import { queryPlanSchema, type Filter, type Measure } from './query/plan'
import { fieldSchema, type Field } from './query/field'
import { GRAINS, type Grain } from './query/date-range'
import type { ColumnFormat } from './data-sources/files'
import { inOneSentence, type FormattedColumn } from './figures/cell-formatter'
import { idSchema } from './ids'
import { capitalize } from './text'
import { isAttributeColumn } from './data-sources/key-columns'
import type { ResolvedPeriod } from './query/result'

/** What the statistics of a series say by themselves: found, measured and told by code. */

export const FINDING_KINDS = [
  /** The newest complete period lies further from what its past says than it usually does. */
  'change',
  /** A ratio moved because the weights of its members moved, not their own ratios. */
  'mixShift',
  'newMember',
  'lostMember',
  /** The largest member's share of the total moved out of its usual range. */
  'concentration',
  /** One earlier period that stands apart from its season. */
  'outlier',
  /** The series runs on another level from some period on. */
  'levelShift',
  /** The series runs in another direction from some period on. */
  'trendBreak',
  /** Several periods in a row went the same way. */
  'streak',
  /** The same months, weekdays or quarters differ each time. */
  'season',
  'targetRisk',
  /** A sum that was above nothing is below it, or the other way round. */
  'turned',
  /** The member that moved a change most, beyond its usual share of the whole. */
  'contribution',
  /** One of the largest members has passed another one. */
  'overtook',
  /** A value, a range or a pair of values in which rows have an outcome more or less often than the rest. */
  'influencer',
  /** The newest year beside the one before, whether or not that is unusual. */
  'growth',
  /** Members whose sum is below nothing where the whole is above it. */
  'loss',
  /** Members that make up most of a figure. */
  'leader',
  /** Members with the lowest and the highest ratio. */
  'rateGap',
  /** The highest and the lowest period. */
  'peak',
] as const
/** What the rows say by themselves: told because it is large, not because it is unusual. */
const FACT_KINDS: ReadonlySet<string> = new Set(['growth', 'loss', 'leader', 'rateGap', 'peak'])
export const isFactKind = (kind: FindingKind): boolean => FACT_KINDS.has(kind)
export type FindingKind = (typeof FINDING_KINDS)[number]

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
/** An exact decimal as text; `Number()` of it is good for drawing. */
const decimalTextSchema = z.string().regex(/^-?\d+(\.\d+)?$/)

/** One value of one dimension of the subject; `dimension` is the key the engine was given for it. */
const findingMemberSchema = z.strictObject({
  dimension: z.string(),
  label: z.string(),
  value: cellSchema,
  /** What the value is called, where it is a number of something: the name of an account. */
  name: z.string().optional(),
})
export type FindingMember = z.infer<typeof findingMemberSchema>

/**
 * What a member is called in a sentence. What names nothing by itself (nothing at all, yes and no, a number, a code
 * with one letter at most) is told with its column: "ShipVia is empty", "ShipVia 3", "Series L"; so is a property of rows, where
 * the sentence does not name the column (`isNamed`) anyway: "Size: Large". A number that has a name is told with that: "3010
 * Sales". `opens`: it begins a sentence, where a column has a capital and a value stays as it is written.
 */
export function findingMemberName(
  { label, value, name }: FindingMember,
  { opens = false, isNamed = false }: { opens?: boolean; isNamed?: boolean } = {},
): string {
  if (name !== undefined) return `${String(value)} ${name}`
  const column = opens ? capitalize(label) : label
  if (value === null || value === '') return `${column} is empty`
  if (typeof value === 'boolean') return `${column}: ${value ? 'Yes' : 'No'}`
  if (typeof value === 'number' || !/\p{L}.*\p{L}/su.test(value)) return `${column} ${value}`
  return isAttributeColumn(label) && !isNamed ? `${column}: ${value}` : value
}

/** What a member is called at its place in a sentence. */
export const memberInSentence = (parts: readonly SentencePart[], at: number, member: FindingMember): string =>
  findingMemberName(member, {
    opens: opensSentence(parts, at),
    isNamed: parts.some((part) => 'text' in part && part.text.includes(` ${member.label}`)),
  })

/** Whether a part of a finding begins a sentence. Texts that stand beside each other are read as one. */
export function opensSentence(parts: readonly SentencePart[], at: number): boolean {
  const last = parts.slice(0, at).findLastIndex((part) => !('text' in part))
  const before = parts.slice(last + 1, at).map((part) => ('text' in part ? part.text : ''))
  return (last < 0 && before.every((text) => text === '')) || /\.\s+$/.test(before.join(''))
}

/** Whether a table of the whole names the member among what moved it, the same way; what did not move moved nothing. */
export const namesMember = (
  whole: Pick<DetectedFinding, 'contributions'>,
  { member, effect }: Pick<DetectedFinding, 'member' | 'effect'>,
): boolean =>
  whole.contributions.some(
    ({ dimension, lines }) =>
      dimension === member?.dimension &&
      lines.some(
        (line) =>
          line.others === undefined &&
          (line.member ?? null) === member.value &&
          Number(line.change) * Number(effect.change) > 0,
      ),
  )

/** Buckets from one to another, both included, by their first days (ISO text). */
const findingPeriodSchema = z.strictObject({ from: z.string(), to: z.string(), grain: z.enum(GRAINS) })
export type FindingPeriod = z.infer<typeof findingPeriodSchema>

/** What one bucket is called: "month". */
export const calendarUnit = (grain: Grain): string => grain.replace('fiscal', '').toLowerCase()

/** The place of a bucket in its season, without its year: "May", "Monday", "Q2". */
export function seasonPlaceName({ from, grain }: Pick<FindingPeriod, 'from' | 'grain'>): string {
  const day = new Date(`${from.slice(0, 10)}T00:00:00Z`)
  if (grain === 'hour') return from.slice(11, 16)
  if (grain === 'quarter' || grain === 'fiscalQuarter') return `Q${Math.floor(day.getUTCMonth() / 3) + 1}`
  const unit = grain === 'day' ? { weekday: 'long' as const } : { month: 'long' as const }
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...unit }).format(day)
}

/**
 * How a figure of a sentence is shown: `measure` as the subject's figures are, `change` a change of them with its sign,
 * `difference` the same without one, `share` a fraction as per cent, `shareChange` the same with its sign, `count` a plain
 * whole number, `plain` a number with its decimals.
 */
const FIGURE_FORMATS = ['measure', 'change', 'difference', 'share', 'shareChange', 'count', 'plain'] as const

/** A sentence is these, one after the other without spaces between: texts carry their own. */
const sentencePartSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ figure: z.union([z.number(), decimalTextSchema]), format: z.enum(FIGURE_FORMATS) }),
  z.strictObject({ member: findingMemberSchema }),
  z.strictObject({ period: findingPeriodSchema }),
  /** The place of a bucket in its season, without its year: "May", "Monday". */
  z.strictObject({ season: findingPeriodSchema }),
])
export type SentencePart = z.infer<typeof sentencePartSchema>

/** The figures of a sentence that are in the unit of what it is about: amounts and their changes, no shares or counts. */
export const figuresInUnit = (parts: readonly SentencePart[]): (number | string)[] =>
  parts.flatMap((part) => ('figure' in part && UNIT_FORMATS.has(part.format) ? [part.figure] : []))
const UNIT_FORMATS: ReadonlySet<string> = new Set(['measure', 'change', 'difference'])

/**
 * One line of a table of contributions. The `change` of all lines of a table add up exactly to the change of the effect.
 * For a ratio `change` = `rate` + `mix` exactly: what the member's own ratio accounts for, and what its weight does.
 */
const contributionSchema = z.strictObject({
  /** Undefined: the line of all members that are not told one by one. */
  member: cellSchema.optional(),
  /** What the member is called, where it is a number of something. */
  name: z.string().optional(),
  /** How many members the line stands for, when it is the line of the others. */
  others: z.int().optional(),
  /** The member's own figure before and now; for a ratio its ratio, null where it has none. */
  previous: decimalTextSchema.nullable(),
  value: decimalTextSchema.nullable(),
  change: decimalTextSchema,
  rate: decimalTextSchema.optional(),
  mix: decimalTextSchema.optional(),
})
export type Contribution = z.infer<typeof contributionSchema>

const contributionTableSchema = z.strictObject({
  dimension: z.string(),
  label: z.string(),
  /** Largest change first; the line of the others last, when there is one. */
  lines: z.array(contributionSchema),
})
export type ContributionTable = z.infer<typeof contributionTableSchema>

/** What a figure is held against. `expected`: what season and trend of its own past say. */
const COMPARISON_BASES = ['previous', 'year', 'expected', 'before', 'target', 'rest'] as const

const findingConditionSchema = z.strictObject({
  field: fieldSchema,
  op: z.enum(['eq', 'ge', 'lt']),
  value: cellSchema,
})
/** One condition on the rows of an influencer. */
export type FindingCondition = z.infer<typeof findingConditionSchema>

export const detectedFindingSchema = z.strictObject({
  /** The subject's key, as the engine was given it. */
  subject: z.string(),
  kind: z.enum(FINDING_KINDS),
  /** Null: the subject's total. */
  member: findingMemberSchema.nullable(),
  /** Of an influencer: which rows it is about. */
  conditions: z.array(findingConditionSchema).optional(),
  /** What the finding is about: the newest bucket, the buckets since a shift, those of a streak. */
  period: findingPeriodSchema,
  against: z.enum(COMPARISON_BASES),
  /** The buckets it is held against, where they are some. */
  comparison: findingPeriodSchema.nullable(),
  statistic: z.strictObject({ name: z.enum(['t', 'z', 'F', 'runs', 'proportions', 'share']), value: z.number() }),
  effect: z.strictObject({
    value: decimalTextSchema.nullable(),
    previous: decimalTextSchema.nullable(),
    change: decimalTextSchema,
    /** `change` as a fraction of `previous`; null where that is nothing or has another sign. */
    percent: z.number().nullable(),
  }),
  /** Buckets the statistic rests on. */
  n: z.int(),
  /** Chance of a statistic as large as this where nothing happened, corrected for the places that were looked at. */
  p: z.number(),
  /** The share of false findings among those told when this one is told (Benjamini–Hochberg over the whole run). */
  q: z.number(),
  /** 0…1. */
  confidence: z.number(),
  /** |effect| × confidence × novelty; only its order means something. */
  score: z.number(),
  /** By the subject's favourable direction. */
  tone: z.enum(['good', 'bad', 'neutral']),
  /** What the change is made of, the most telling dimension first; empty where it cannot be taken apart. */
  contributions: z.array(contributionTableSchema),
  sentence: z.array(sentencePartSchema),
})
export type DetectedFinding = z.infer<typeof detectedFindingSchema>
/** How many are shown first. */
const FINDINGS_SHOWN = 5

/** Findings as they are listed, and the table of what a change is made of. */

/** A figure over time that is looked at: of a metric, of insights, or the amounts of a dataset that has neither. */
export interface AnalyzedMetric {
  /** Names what is measured: the same for every insight that asks for the same figure. */
  key: string
  label: string
  dataset: string
  metric: string | null
  insights: string[]
  measure: Measure
  filters: Filter[]
  time: Field
  grain: Grain
  direction: 'up' | 'down' | 'none'
  format: ColumnFormat
  /** Decimals of exact figures. */
  scale: number | null
  /** What the effect's `dimension` keys stand for. */
  dimensions: { key: string; label: string; field: Field }[]
}

/** The figures of a finding's sentence as a column: all with the same decimals, at least those of what is measured. */
export const findingColumn = ({
  sentence,
  about: { label, format, scale },
}: Pick<DetectedFinding, 'sentence'> & {
  about: Pick<AnalyzedMetric, 'label' | 'format' | 'scale'>
}): FormattedColumn =>
  inOneSentence(
    { kind: 'measure', type: 'number', label, format, ...(scale === null ? {} : { scale }) },
    figuresInUnit(sentence),
  )

const FINDING_RATINGS = ['useful', 'useless'] as const
export type FindingRating = (typeof FINDING_RATINGS)[number]

/** One finding, as one person sees it. Pins, hides and ratings are that person's own. */
export interface Finding extends DetectedFinding {
  id: string
  about: AnalyzedMetric
  firstFoundAt: string
  foundAt: string
  pinned: boolean
  hidden: boolean
  rating: FindingRating | null
}

/** `GET /api/findings`: pinned ones first, then the most telling; five at first, the rest by cursor. */
export const listFindingsSchema = z.strictObject({
  insight: idSchema('insight').optional(),
  metric: idSchema('metric').optional(),
  dataset: idSchema('dataset').optional(),
  /** `1`: those that the asker has hidden. */
  hidden: z.enum(['0', '1']).default('0'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(FINDINGS_SHOWN),
})
export type ListFindingsQuery = z.output<typeof listFindingsSchema>
/** `GET /api/insights/{id}/findings`. */
export const insightFindingsSchema = listFindingsSchema.omit({ insight: true, metric: true, dataset: true })

export interface FindingPage {
  items: Finding[]
  nextCursor: string | null
  /** When figures were last looked through; null when they never were. */
  lookedAt: string | null
  /** Rows have come since, or something new is asked for: what is listed may be behind. */
  behind: boolean
  /** Of one figure in which nothing was found: the newest complete period; absent where there are too few to compare. */
  newest?: FindingPeriod
  /** Present when the figure that is asked about cannot be looked at: why, in words. */
  declined?: string
}

/** `POST /api/findings/refresh`: looks now, at one dataset or all. */
export const refreshFindingsSchema = z.strictObject({ dataset: idSchema('dataset').optional() })

/** `POST /api/findings/{id}/pin`, `…/hide`; `on: false` takes it back. */
export const markFindingSchema = z.strictObject({ on: z.boolean() })
/** `POST /api/findings/{id}/rate`; null takes it back. */
export const rateFindingSchema = z.strictObject({ rating: z.enum(FINDING_RATINGS).nullable() })

const DRIVER_DIMENSIONS_MAX = 8
/** `POST /api/findings/drivers`: what the change of one figure between a period and the one it is held against is made of. */
export const driversSchema = z.strictObject({
  /** A plan with a period that is compared; its splits are left out. */
  plan: queryPlanSchema,
  /** Which of its measures. */
  measure: z.int().min(0).max(4).default(0),
  /** By what it is taken apart; absent: by what is fit for it. */
  dimensions: z.array(fieldSchema).min(1).max(DRIVER_DIMENSIONS_MAX).optional(),
})
export type DriversInput = z.input<typeof driversSchema>
export type DriversQuery = z.output<typeof driversSchema>

/** A contribution table with the field it goes by, to ask on. */
const driverTableSchema = z.strictObject({
  dimension: z.string(),
  label: z.string(),
  field: fieldSchema,
  lines: z.array(contributionSchema),
})
export interface ChangeDrivers {
  label: string
  format: ColumnFormat
  scale: number | null
  period: ResolvedPeriod
  compare: ResolvedPeriod
  /** Decimal text; null where there is no figure. */
  value: string | null
  previous: string | null
  change: string | null
  percent: number | null
  /** The most telling first. The changes of the lines of each add up exactly to `change`. */
  tables: z.infer<typeof driverTableSchema>[]
  /** Why it cannot be taken apart; null when it can. */
  whyNot: 'notAdditive' | 'nothing' | null
}
