import type { ColumnRole, ColumnType } from './files'

/** Every kind of connected source, in the order in which they are offered. A file is no kind: it is uploaded. */
export const CONNECTOR_KINDS = [
  'url',
  's3',
  'push',
  'postgresql',
  'mysql',
  'clickhouse',
  'google_sheets',
  'fortnox',
  'visma',
  'stripe',
  'shopify',
] as const
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number]

/** Where a kind stands in the gallery. */
export const CONNECTOR_GROUPS = ['files', 'databases', 'accounting', 'sales', 'programs'] as const
export type ConnectorGroup = (typeof CONNECTOR_GROUPS)[number]

/** One field of a kind's form. Values travel as text; a toggle is `1` or the empty text. */
export interface ConnectorField {
  key: string
  label: string
  control: 'text' | 'url' | 'number' | 'password' | 'choice' | 'toggle' | 'lines' | 'sql'
  /** At most 60 characters, where the label is not enough. */
  hint?: string
  placeholder?: string
  required: boolean
  /** Kept encrypted, and never shown again. */
  secret: boolean
  /** Of a choice. */
  options?: readonly { value: string; label: string }[]
  /** What stands in it at first. */
  initial?: string
  /** Shown, and needed, only while another field has this value. */
  when?: { field: string; is: string }
  maxLength?: number
  /** Says where secrets are sent: stored ones go nowhere else, and are entered again with another. */
  isTarget?: true
}

/** How somebody lets us in: by nothing, by what they enter, or by consent at the vendor. */
export type ConnectorAuth = 'none' | 'secrets' | 'oauth'

/** What a kind is, as its wizard and gallery show it. Words follow the voice. */
export interface ConnectorDescription {
  kind: ConnectorKind
  /** The vendor's or format's own name. */
  title: string
  /** One line for the gallery. */
  summary: string
  group: ConnectorGroup
  auth: ConnectorAuth
  fields: readonly ConnectorField[]
  /** What it reads, one item a line. */
  reads: readonly string[]
  /** What it never does. */
  never: readonly string[]
  /** `pull`: we ask on a schedule. `push`: programs send. */
  delivery: 'pull' | 'push'
  /** Calls that the vendor allows, kept to over all workspaces or for each connection. Absent: none to keep. */
  rate?: VendorRate
}

export interface VendorRate {
  calls: number
  perMs: number
  /** `vendor`: one budget for the whole installation. `connection`: one for each source. */
  of: 'vendor' | 'connection'
}

/** How rows of a sync meet those that are there. */
export const STREAM_MODES = ['replace', 'upsert', 'append'] as const
export type StreamMode = (typeof STREAM_MODES)[number]

/** A column as its source declares it. `name` is its identity there. */
export interface StreamColumn {
  name: string
  label?: string
  type: ColumnType
  role?: ColumnRole
  /** Decimals of a `number` that are kept exactly, 0 to 4. Absent: a floating-point number. */
  scale?: number
  /** Of a `datetime`: true = an instant, false = a wall-clock time. */
  zoned?: boolean
  /** Name of the column that says which currency each row is in. */
  currencyColumn?: string
  /** The one currency that all amounts are in. */
  currency?: string
  /** Amounts are whole numbers of the currency's smallest unit. */
  minorUnits?: true
}

/** One table, object or file that a source offers. */
export interface SourceStream {
  /** Its identity at the source; the same at every discovery. */
  key: string
  label: string
  /** Null: they are found in the bytes (a file). */
  columns: readonly StreamColumn[] | null
  /** Names of the columns that tell one row from another. */
  keyColumns: readonly string[]
  /** Name of the column by which only what is new is read; null = everything is read each time. */
  incrementalColumn: string | null
  /** The modes that make sense, the proposed one first. */
  modes: readonly [StreamMode, ...StreamMode[]]
  /** Chosen from the start. */
  proposed: boolean
  /** Where the source says so. */
  estimatedRows?: number
}

export const SOURCE_FAILED_REASONS = ['down', 'auth', 'timeout', 'too_large', 'drift'] as const
export type SourceFailedReason = (typeof SOURCE_FAILED_REASONS)[number]
