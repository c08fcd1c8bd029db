/** A call to a target that a person entered. Only https; no redirect is followed to where the rules do not allow. */
export interface TargetCall {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array<ArrayBuffer>
  /** Bytes of the answer, decompressed. Absent: 50 MB. */
  maxBytes?: number
  /** For the whole answer. Absent: 30 s. */
  deadlineMs?: number
}

/** A call to an address that the installation configured for a vendor. */
export interface OperatorCall {
  /** Name of the origin, as `operatorOf` of the registry entry gives it. */
  origin: string
  /** Path and query. */
  path: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array<ArrayBuffer>
  maxBytes?: number
  deadlineMs?: number
}

/** A database or another server that a person entered. */
export interface SocketTarget {
  host: string
  port: number
  /** `direct`: TLS from the first byte. `upgrade`: `startTls` after the protocol's own greeting. `off`: only where a test allows it. */
  tls: 'direct' | 'upgrade' | 'off'
  deadlineMs?: number
}

/** A connection to an address that was checked. Its certificate is verified for the target's name. */
export interface DoorSocket {
  readable: ReadableStream<Uint8Array>
  writable: WritableStream<Uint8Array>
  /** A server of this very machine, which the installation lists by name: in local mode and tests only. TLS is not asked of it. */
  isLocal?: true
  /** Of `upgrade`: the same connection under TLS; the streams before it are no longer used. */
  startTls(): DoorSocket
  close(): Promise<void>
}

/** An answer whose body stops at the cap and at the deadline by a `SourceError`-like {@link DoorError}. */
export interface DoorResponse {
  status: number
  headers: Headers
  /** Where the answer came from, after redirects. */
  url: string
  body: ReadableStream<Uint8Array>
  /** The whole body. @throws DoorError */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  text(): Promise<string>
  json(): Promise<unknown>
}

/** A database as somebody enters it. */
export interface DatabaseAddress {
  host: string
  port: number
  database: string
  user: string
  password: string
}

/** A way to a database to which the platform keeps connections. */
export interface DatabasePool {
  /** Leaves this machine under TLS that the platform sees to; nothing more is asked of it. */
  connect(): DoorSocket
  /** By which the pool itself lets in. */
  signIn: Pick<DatabaseAddress, 'user' | 'password' | 'database'>
}

/** The only ways out of the house for a connector. Every method throws {@link DoorError}. */
export interface Doors {
  /** What somebody entered: through the rules against forged requests (SSRF). */
  http(call: TargetCall): Promise<DoorResponse>
  /** The same for servers that speak no HTTP. */
  connect(target: SocketTarget): Promise<DoorSocket>
  /**
   * The pool that the installation keeps for a database; null: it keeps none. `wrong_password`: it keeps one for this user, by
   * another password.
   */
  pool(asked: DatabaseAddress): DatabasePool | 'wrong_password' | null
  /** A vendor's address of the installation's configuration. */
  operator(call: OperatorCall): Promise<DoorResponse>
}

export type DoorErrorReason = 'not_allowed' | 'down' | 'timeout' | 'too_large' | 'busy'

/** Why a door stayed shut. Its message holds no address and nothing that the other side said. */
export class DoorError extends Error {
  readonly reason: DoorErrorReason
  /** Of `busy`: when the vendor's budget has room again, ms. */
  readonly retryAfterMs: number | undefined
  constructor(reason: DoorErrorReason, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(`outgoing call: ${reason}`, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'DoorError'
    this.reason = reason
    this.retryAfterMs = options.retryAfterMs
  }
}
