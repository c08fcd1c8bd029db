import type { Doors } from '../outbound/doors'
import type {
  ConnectorDescription,
  SourceFailedReason,
  SourceStream,
  StreamMode,
} from '../shared/data-sources/connectors'
import { ProductError } from '../shared/errors'
import type { Clock } from '../shared/ids'

/**
 * What somebody entered or consented to, as plain values by the keys of the description's fields. Secrets are decrypted
 * for one call and held nowhere.
 */
export interface Connection {
  settings: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
}

/** What a connector may use. It sees no database, no warehouse and no scope. */
export interface ConnectorContext {
  connection: Connection
  /** The only way out: every call is checked, capped and counted. */
  doors: Doors
  /** Keys of the installation at the vendor, by the names that `operatorOf` of its registry entry gives. */
  operator: Readonly<Record<string, string>>
  clock: Clock
  /** Aborts when the step's time is over. */
  signal: AbortSignal
}

/** Values between one call and the next, and between one sync and the next: plain JSON of at most 8 kB. */
export type Cursor = Readonly<Record<string, string | number | boolean | null>>

/** What one call of `read` may take. */
export interface ReadBudget {
  maxRows: number
  maxBytes: number
  /** Epoch ms: a call that is not done by then answers what it has. */
  deadlineAt: number
}

export interface ReadRequest {
  stream: SourceStream
  mode: StreamMode
  /** As the last call of `read` answered it, in this sync or the one before; null = from the very beginning. */
  cursor: Cursor | null
  budget: ReadBudget
}

/**
 * A cell as canonical text: numbers with a point and no grouping (`-1234.5`), dates `2026-01-31`, moments
 * `2026-01-31T12:00:00[.sss][Z]`, yes and no `true` and `false`; null = no value. Anything of a text column is itself.
 */
export type Cell = string | null

/** A whole file, read once from its beginning. Its kind is seen from the bytes. */
export interface SourceFile {
  name: string
  body: ReadableStream<Uint8Array>
}

interface ReadPosition {
  /** What the next call is given. Of the last page of a sync: what the next sync begins with. */
  cursor: Cursor | null
  /** Nothing is left for this sync. */
  done: boolean
  /** How long to wait before the next call, ms. */
  retryAfterMs?: number
}
export type ReadPage = ReadPosition &
  (
    | { kind: 'rows'; rows: Cell[][] }
    /** `reloads`: it is part of everything there is, which takes the place of all rows; the cursor is kept at its end. */
    | { kind: 'file'; file: SourceFile; reloads?: boolean }
    /** The source says that nothing changed since the cursor. */
    | { kind: 'unchanged' }
  )

/** Where the rows of a stream lie, for questions that are put to their database. Names are as its catalogue has them. */
export interface LiveTable {
  dialect: 'postgres' | 'mysql' | 'clickhouse'
  schema: string
  table: string
  /** Columns that tell one row from another, or that rows are sorted by; empty: none do. */
  rowKey: readonly string[]
  /** Columns of whole numbers that are kept as exact decimals, and may hold what is no number. */
  numerics?: readonly string[]
  /** Columns of bytes, which are read as digits. */
  bytes?: readonly string[]
  /** Every set of columns that the database keeps unique. */
  unique: readonly (readonly string[])[]
}

/** What a passed test tells the person. */
export interface TestedConnection {
  /** Whose data it is, as the vendor calls it: a company, a database. */
  account?: string
  /** Things to know, such as rights that are wider than needed. */
  warnings: readonly string[]
}

/** What consent, or its renewal, gave. They take the place of the connection's own, key by key. */
export interface IssuedCredentials {
  secrets: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, string>>
}

/** Tokens that end by themselves, and are asked for again with what is stored. */
export interface Renewal {
  /** Whether the credentials are to be renewed before the next call. */
  isDue(secrets: Connection['secrets'], now: number): boolean
  /** Called by one at a time for a source; what it answers is stored before anything else happens. */
  renew(context: ConnectorContext): Promise<IssuedCredentials>
}

/** Consent at the vendor (OAuth 2.0, authorisation code with PKCE). */
export interface Authorisation extends Renewal {
  /** The vendor's page of consent. */
  url(context: ConnectorContext, at: { state: string; redirectUri: string; codeChallenge: string }): string
  exchange(
    context: ConnectorContext,
    answer: { code: string; redirectUri: string; codeVerifier: string; query: Readonly<Record<string, string>> },
  ): Promise<IssuedCredentials>
}

/**
 * One kind of source. Stateless: all it knows comes with the call.
 * Every method may throw {@link SourceError}; what it throws otherwise counts as our own fault and is reported.
 */
export interface Connector {
  describe(): ConnectorDescription
  /** Only of a kind whose `auth` is `oauth`. */
  authorise?: Authorisation
  /** Only of a kind whose entered credentials are exchanged for tokens; consent brings its own. */
  renewal?: Renewal
  /** Tells what is wrong with a field before anything is called. Keys are those of the fields. */
  check?(settings: Connection['settings']): Record<string, string>
  /** Proves that it answers and lets us in. */
  test(context: ConnectorContext): Promise<TestedConnection>
  discover(context: ConnectorContext): Promise<SourceStream[]>
  /** Only of a kind with streams that may be `live`. */
  live?(context: ConnectorContext, stream: SourceStream): Promise<LiveTable>
  /** One page. Called again with the same request, it answers the same rows or newer ones. */
  read(context: ConnectorContext, request: ReadRequest): Promise<ReadPage>
}

/** A source that did not give what it should, said in words for the person whose source it is. Never holds a body or a secret. */
export class SourceError extends Error {
  readonly reason: SourceFailedReason
  /** The next step, one sentence. */
  readonly mend: string
  /** How long to wait before another try, where the source said so. */
  readonly retryAfterMs: number | undefined
  constructor(reason: SourceFailedReason, says: { message: string; mend: string; retryAfterMs?: number }) {
    super(says.message)
    this.name = 'SourceError'
    this.reason = reason
    this.mend = says.mend
    this.retryAfterMs = says.retryAfterMs
  }

  toProductError(): ProductError {
    return new ProductError('source_failed', { reason: this.reason, mend: this.mend }, this.message)
  }
}
