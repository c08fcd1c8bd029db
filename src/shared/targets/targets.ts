import { z } from 'zod'
import type { ColumnFormat } from '../data-sources/files'
import type { Cell } from '../query/result'
import { TARGET_GRAINS, type TargetGrain } from './periods'
import { memberFieldSchema, MONITORED_MEMBERS_MAX, type MemberField, type SubjectRef } from '../monitored-metric'

/** Decimals that a target keeps. */
export const TARGET_DECIMALS = 4
/** Figures of one table of targets. */
export const TARGET_CELLS_MAX = 2_000
/** Tables of targets of one workspace. */
export const TARGETS_MAX = 500

/** An amount as exact decimal text. */
const targetValueSchema = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,4})?$/, { message: `A number with at most ${TARGET_DECIMALS} decimals.` })

const memberSchema = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])
const lineSchema = z.strictObject({
  /** Absent: the whole. */
  member: memberSchema.optional(),
  values: z
    .array(z.strictObject({ period: z.iso.date(), value: targetValueSchema }))
    .refine((cells) => new Set(cells.map(({ period }) => period)).size === cells.length, {
      message: 'Every period once.',
    }),
})
export type TargetLine = z.infer<typeof lineSchema>

/** PUT: the whole table. `version` 0 stands for the first. No lines = no targets. */
export const saveTargetsSchema = z
  .strictObject({
    grain: z.enum(TARGET_GRAINS),
    by: memberFieldSchema.nullable().default(null),
    lines: z.array(lineSchema).max(MONITORED_MEMBERS_MAX + 1),
    version: z.int().min(0),
  })
  .superRefine(({ lines, by }, ctx) => {
    const refuse = (message: string): void => ctx.addIssue({ code: 'custom', path: ['lines'], message })
    if (lines.reduce((count, { values }) => count + values.length, 0) > TARGET_CELLS_MAX)
      refuse(`At most ${TARGET_CELLS_MAX} figures.`)
    if (new Set(lines.map(keyOfLine)).size !== lines.length) refuse('Every member once.')
    if (by === null && lines.some(({ member }) => member !== undefined)) refuse('Choose what the members belong to.')
  })
export type SaveTargetsInput = z.input<typeof saveTargetsSchema>
export type SaveTargets = z.output<typeof saveTargetsSchema>

/** Tells one line from another; the whole from a member without a value. */
export const keyOfLine = ({ member }: Pick<TargetLine, 'member'>): string =>
  member === undefined ? 'total' : `${typeof member}:${String(member)}`

export interface TargetTable {
  subject: SubjectRef
  grain: TargetGrain
  by: MemberField | null
  lines: TargetLine[]
  /** 0 = nothing was saved yet. */
  version: number
  updatedAt: string | null
  updatedBy: string | null
}

/** By what the share of a period that should be reached by now is worked out. */
export type PaceBasis = 'days' | 'lastYear'
export type PaceStatus = 'ahead' | 'onPace' | 'behind'

/** How far a period has come on its way to its target. */
export interface PeriodProgress {
  period: string
  actual: number | null
  target: number
  /** `actual` as a part of `target`; null where that says nothing. */
  share: number | null
  /** Where it should be today; null for figures whose parts do not add up, and once the period is over. */
  expected: number | null
  basis: PaceBasis | null
  /** By the favourable direction; null where none is favourable or there is nothing to hold it against. */
  status: PaceStatus | null
}
export interface LineProgress {
  member?: Cell
  label: string | null
  /** The running period. */
  now: PeriodProgress | null
  /** From the beginning of the year to the end of today: what the targets of its periods come to by now. */
  year: PeriodProgress | null
}
export interface TargetProgress {
  grain: TargetGrain
  /** The workspace's today. */
  today: string
  direction: 'up' | 'down' | 'none'
  format: ColumnFormat | null
  lines: LineProgress[]
  dataAsOf: string | null
}
