import { SourceError } from '../contract'
import { sourceErrorOf } from '../failures'

/** What a database's refusal means, in words. Only its code is looked at; what else it says is told to nobody. */
export type DatabaseRefusal =
  | 'password'
  | 'database'
  | 'permission'
  | 'timeout'
  | 'full'
  | 'missing'
  | 'statement'
  | 'read_only'
  | 'other'

const SAID: Record<DatabaseRefusal, { reason: SourceError['reason']; message: string; mend: string }> = {
  password: {
    reason: 'auth',
    message: 'The database refused the user name or password.',
    mend: 'Enter the user name and password again.',
  },
  database: {
    reason: 'auth',
    message: 'The server has no such database, or doesn’t let this user in.',
    mend: 'Check the name of the database.',
  },
  permission: {
    reason: 'auth',
    message: 'The user may not read this table.',
    mend: 'Grant the user SELECT on the tables to read.',
  },
  timeout: {
    reason: 'timeout',
    message: 'The database took longer than 30 seconds for one statement.',
    mend: 'Choose fewer rows, or add an index to the columns that are read by.',
  },
  full: {
    reason: 'down',
    message: 'The database takes no more connections at the moment.',
    mend: 'We’ll try again. Raise its limit of connections if it stays so.',
  },
  missing: {
    reason: 'drift',
    message: 'A table or column isn’t there any more.',
    mend: 'Choose the tables again.',
  },
  statement: {
    reason: 'drift',
    message: 'The database can’t run this SELECT.',
    mend: 'Try the SELECT in your database and enter it again.',
  },
  read_only: {
    reason: 'auth',
    message: 'The statement tried to write. Only reading is allowed.',
    mend: 'Enter a SELECT that changes nothing.',
  },
  other: {
    reason: 'down',
    message: 'The database answered with an error.',
    mend: 'We’ll try again. If it keeps failing, check the server.',
  },
}

/** An answer that says no. */
export class DatabaseError extends SourceError {
  readonly refusal: DatabaseRefusal
  constructor(refusal: DatabaseRefusal, code: string) {
    const { reason, message, mend } = SAID[refusal]
    const isNamed = refusal === 'other' && /^[\w]{1,8}$/.test(code)
    super(reason, { message: isNamed ? `The database answered with error ${code}.` : message, mend })
    this.refusal = refusal
  }
}

export const noTls = (): SourceError =>
  new SourceError('auth', {
    message: 'The server doesn’t offer TLS, so the password would travel in the open.',
    mend: 'Turn on TLS at the server.',
  })
export const cachedAnswers = (): SourceError =>
  new SourceError('auth', {
    message: 'Answers of this database come from a cache, so they may be old.',
    mend: 'Ask your Insikt administrator to turn off query caching in Hyperdrive.',
  })
export const weakSignIn = (): SourceError =>
  new SourceError('auth', {
    message: 'The server asked for the password in a way that isn’t safe.',
    mend: 'Use SCRAM-SHA-256 (PostgreSQL) or caching_sha2_password (MySQL) for this user.',
  })

/** Runs a call of a connector; refusals of doors come out in words. */
export async function inWords<T>(host: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sourceErrorOf(error, host)
  }
}
