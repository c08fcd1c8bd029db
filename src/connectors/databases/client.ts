/** A column of an answer, as the server describes it. */
export interface AnsweredColumn {
  name: string
  /** The server's number of its type. */
  type: number
  /** What further says of it: decimals and the like. */
  modifier: number
}
export interface DatabaseAnswer {
  columns: AnsweredColumn[]
  /** Every cell as the server writes it as text. */
  rows: (string | null)[][]
}

/** Where a database is, and who asks. */
export interface DatabaseLogin {
  host: string
  port: number
  database: string
  user: string
  password: string
  /** `off`: only where a test allows it. */
  tls: 'required' | 'off'
  /** What one connection may send, bytes. */
  maxBytes: number
}

/** One connection that reads: whatever is asked, its transactions can write nothing. */
export interface DatabaseClient {
  /**
   * One statement with its values; a second one in its text is refused by the protocol.
   * @param rowsMax more rows than these are not read
   * @throws SourceError
   */
  query(text: string, values?: readonly string[], rowsMax?: number): Promise<DatabaseAnswer>
  /** Absent: nothing lies between. @throws SourceError where what lies between gives earlier answers again */
  assertUncached?(): Promise<void>
  close(): Promise<void>
}

/** What a statement may take at the server, ms. */
export const STATEMENT_MAX_MS = 30_000
/** How much longer we wait for its answer, ms. */
export const ANSWER_WAIT_MS = STATEMENT_MAX_MS + 5_000
/** Rows of an answer that are kept where nobody says how many. */
export const ANSWER_ROWS_MAX = 1_000_000
/** What signing in may take, ms. */
export const SIGN_IN_MAX_MS = 15_000
