import { z } from 'zod'
import { CONNECTOR_KINDS, STREAM_MODES, type ConnectorDescription, type ConnectorKind } from './connectors'
import type { SourceFailedReason, SourceStream, StreamMode } from './connectors'
import type { SourceState } from './source-states'
import { listQuerySchema, nameSchema } from '../field-schemas'
import { idSchema } from '../ids'
import { SOURCE_MAX_DATASETS } from '../limits'

/** What starts a sync: the rest is read where it runs. */
export interface SyncSourceParams {
  syncId: string
  sourceId: string
  workspaceId: string
}

/** Why a source gives nothing at the moment, in words. */
export interface ConnectionFailure {
  code: 'source_failed' | 'credential_unreadable' | 'internal'
  reason: SourceFailedReason | 'credential' | 'internal'
  message: string
  /** The next step. */
  mend: string
  /** What somebody may accept, and the next sync goes on: used columns that are gone or changed, or a table without rows. */
  acceptable?: 'columns' | 'empty'
}

/** Something that changed at the source, and what came of it. */
export interface DriftNotice {
  stream: string
  /** `tables`: those that the source has no more; all others are of columns. */
  kind: 'added' | 'gone' | 'retyped' | 'tables'
  /** Names of the columns, or tables. */
  columns: string[]
  at: string
}

/** A connected source beside the rest of what is said of it. */
export interface ConnectionSummary {
  kind: ConnectorKind
  delivery: 'pull' | 'push'
  state: SourceState
  paused: boolean
  failure: ConnectionFailure | null
  failedSince: string | null
  /** Null: not by schedule. */
  nextSyncAt: string | null
  syncedAt: string | null
  succeededAt: string | null
}

/** `GET /api/data-sources/{id}/connection` */
export interface ConnectionDetails extends ConnectionSummary {
  sourceId: string
  description: ConnectorDescription
  /** Empty for whoever may not change them: an address may hold a key. */
  settings: Record<string, string>
  /** Set where rules of access leave out a part of its data for who asks: they change nothing of it. */
  partial?: true
  /** Keys of the fields that have a secret stored; none is ever answered. */
  secretsSet: string[]
  frequencyHours: number
  /** How often the plan allows. */
  planHours: number
  /** When somebody may start a sync; null = not at all. */
  manualSyncAt: string | null
  streams: ConnectedStream[]
  notices: DriftNotice[]
}
export interface ConnectedStream {
  key: string
  label: string
  mode: StreamMode
  incremental: boolean
  datasetIds: string[]
}

const SYNC_STATES = ['running', 'succeeded', 'unchanged', 'failed', 'cancelled'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** One sync of a source, as its log shows it. */
export interface SourceSync {
  id: string
  trigger: 'schedule' | 'person' | 'first' | 'push'
  state: SyncState
  startedAt: string
  finishedAt: string | null
  rowsRead: number
  rowsWritten: number
  rowsRejected: number
  bytesRead: number
  error: ConnectionFailure | null
}
export const listSyncsSchema = listQuerySchema

/** A kind as the gallery shows it. */
export interface OfferedConnector {
  description: ConnectorDescription
  /** False: the installation has no keys for it, which only administrators are told. */
  configured: boolean
}

const valuesSchema = z.record(z.string().max(60), z.string().max(20_000)).refine((all) => Object.keys(all).length <= 40)
const connectionFields = {
  kind: z.enum(CONNECTOR_KINDS),
  settings: valuesSchema,
  secrets: valuesSchema.default({}),
  /** Consent that was given before the source was there. */
  draftId: z.string().max(100).optional(),
}

/** `POST /api/connectors/test`: proves what was entered and says what there is. */
export const testConnectionSchema = z.strictObject({
  ...connectionFields,
  /** Of a source that is there: secrets that were not entered are those that are stored. */
  sourceId: idSchema('source').optional(),
})
export type TestConnectionInput = z.input<typeof testConnectionSchema>
export interface TestedSource {
  account: string | null
  warnings: string[]
  streams: SourceStream[]
}

/** `POST /api/connectors/preview`: the first rows of a stream. */
export const previewStreamSchema = z.strictObject({ ...connectionFields, stream: z.string().max(500) })
export type PreviewStreamInput = z.input<typeof previewStreamSchema>
export interface StreamPreview {
  tables: {
    name: string
    columns: { label: string; type: string }[]
    rows: (string | null)[][]
  }[]
}

export const FREQUENCIES = [1, 3, 6, 12, 24, 168] as const
const frequencySchema = z.int().refine((hours) => FREQUENCIES.some((known) => known === hours), {
  message: 'Choose one of the offered intervals.',
})
const chosenStreamSchema = z.strictObject({ key: z.string().max(500), mode: z.enum(STREAM_MODES) })

/** `POST /api/connectors/sources`: a new connected source, whose first sync begins at once. */
export const connectSourceSchema = z.strictObject({
  name: nameSchema,
  ...connectionFields,
  streams: z.array(chosenStreamSchema).max(SOURCE_MAX_DATASETS),
  frequencyHours: frequencySchema,
})
export type ConnectSourceInput = z.input<typeof connectSourceSchema>

/** `PUT /api/data-sources/{id}/connection`: what is not given stays as it is. */
export const updateConnectionSchema = z.strictObject({
  settings: valuesSchema.optional(),
  secrets: valuesSchema.optional(),
  frequencyHours: frequencySchema.optional(),
  streams: z.array(chosenStreamSchema).min(1).max(SOURCE_MAX_DATASETS).optional(),
})
export type UpdateConnectionInput = z.input<typeof updateConnectionSchema>

/** `POST /api/connectors/consent`: the vendor's page of consent. */
export const startConsentSchema = z.strictObject({
  kind: z.enum(CONNECTOR_KINDS),
  settings: valuesSchema,
  /** The source whose consent is renewed. */
  sourceId: idSchema('source').optional(),
})

/** `POST /api/data-sources/{id}/sync` */
export const startSyncSchema = z.strictObject({ acceptDrift: z.boolean().default(false) })

/** Why a consent at a vendor came to nothing, as the page that goes on is told. */
export const CONSENT_PROBLEMS = ['denied', 'failed', 'other'] as const
export type ConsentProblem = (typeof CONSENT_PROBLEMS)[number]
