import { z } from 'zod'
import {
  COLUMN_ROLES,
  COLUMN_TYPES,
  columnFormatSchema,
  columnKeySchema,
  DATE_ORDERS,
  DECIMAL_MARKS,
  type FileInspection,
} from './files'
import type { CleaningStep } from './cleaning'
import { nameKey } from '../field-schemas'
import { DATASET_MAX_COLUMNS, HEADER_MAX_CHARS, SOURCE_MAX_DATASETS } from '../limits'

/** Settings of a file that a person may correct. */
export const IMPORT_SETTING_KEYS = [
  'decimalMark',
  'dateOrder',
  'delimiter',
  'encoding',
  'header',
  'quote',
  'skipLines',
] as const
export type ImportSettingKey = (typeof IMPORT_SETTING_KEYS)[number]

const settingText = z.string().max(20)
const heading = z.string().max(HEADER_MAX_CHARS)

/** What a person changed about a column of a file. Absent = as it was found. */
const columnChoiceSchema = z.strictObject({
  /** Its heading in the file, or the name that the steps gave it. */
  of: heading,
  label: heading.optional(),
  type: z.enum(COLUMN_TYPES).optional(),
  role: z.enum(COLUMN_ROLES).optional(),
  format: columnFormatSchema.optional(),
  include: z.boolean().optional(),
  /** Heading of the column that says which currency each row is in; null = none does. */
  currency: heading.nullable().optional(),
  decimalMark: z.enum(DECIMAL_MARKS).optional(),
  dateOrder: z.enum(DATE_ORDERS).optional(),
  scale: z.int().min(0).max(4).optional(),
  zoned: z.boolean().optional(),
  /** What stands for no value among its texts is a value. */
  keepsMarker: z.boolean().optional(),
})
export type ColumnChoice = z.infer<typeof columnChoiceSchema>

/**
 * What a person decided about a file beyond what was detected; its recipe travels beside it. Stored with the load and
 * proposed for the next file.
 */
export const importChoicesSchema = z.strictObject({
  /** {@link shapeText} of the file as it was detected, digested: files of the same shape are read alike. */
  shape: z.string().regex(/^[0-9a-f]{64}$/),
  /** Name of the table in a file of several kinds of them: its sheet. */
  table: z.string().max(300).optional(),
  /** Tables of the same file that were not imported, by name. */
  omitted: z.array(z.string().max(300)).max(SOURCE_MAX_DATASETS).default([]),
  /** What was detected and what was chosen, each as a screen writes it. */
  settings: z
    .array(z.strictObject({ key: z.enum(IMPORT_SETTING_KEYS), detected: settingText, chosen: settingText }))
    .max(IMPORT_SETTING_KEYS.length)
    .default([]),
  columns: z.array(columnChoiceSchema).max(DATASET_MAX_COLUMNS).default([]),
  /** Columns of the file that went elsewhere in the dataset than was proposed. */
  targets: z
    .array(z.strictObject({ of: heading, to: z.union([columnKeySchema, z.enum(['new', 'skip'])]) }))
    .max(DATASET_MAX_COLUMNS)
    .default([]),
})
export type ImportChoices = z.infer<typeof importChoicesSchema>
export type ImportChoicesInput = z.input<typeof importChoicesSchema>

/** What was decided at an earlier import, offered for another file. */
export interface RememberedImport {
  /** Where it was imported: the names of the source and of its table. */
  source: string
  table: string
  /** Absent: of a load from before choices were kept. */
  choices: ImportChoices | null
  cleaning: CleaningStep[]
}

/** A column that nothing names is called so; then its type says more. */
const UNNAMED = /^column \d+$/

/** What files of one shape have in common: their kind and their headings. */
export const shapeText = ({ kind, columns }: Pick<FileInspection, 'kind' | 'columns'>): string =>
  JSON.stringify([
    kind,
    columns.map(({ label, type }) => (UNNAMED.test(nameKey(label)) ? [nameKey(label), type] : nameKey(label))),
  ])
