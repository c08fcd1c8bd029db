import { scramExchange } from './scram'
import {
  ANSWER_ROWS_MAX,
  ANSWER_WAIT_MS,
  STATEMENT_MAX_MS,
  type AnsweredColumn,
  type DatabaseAnswer,
  type DatabaseClient,
  type DatabaseLogin,
} from '../databases/client'
import { openSession } from '../databases/open-session'
import { cachedAnswers, DatabaseError, noTls, weakSignIn, type DatabaseRefusal } from '../databases/refusals'
import { brokenWire, MESSAGE_MAX_BYTES, textOf, utf8, zeroEnded, type Wire } from '../databases/wire'
import { concatBytes } from '../../lib/concat-bytes'
import { randomBytes } from '../../lib/random-bytes'
import type { Doors } from '../../outbound/doors'

/*
 * PostgreSQL's protocol 3.0 (https://www.postgresql.org/docs/current/protocol.html), as much of it as reading needs. Nothing
 * is copied in or out, no function of the server is called, and one message holds one statement.
 */
const NONCE_BYTES = 18
const SSL_REQUEST = 80_877_103
const PROTOCOL = 196_608
const YES = 'S'.charCodeAt(0)

const SETTINGS = [
  `statement_timeout = ${STATEMENT_MAX_MS}`,
  `idle_in_transaction_session_timeout = ${2 * STATEMENT_MAX_MS}`,
  `TIME ZONE 'UTC'`,
  `datestyle = 'ISO, YMD'`,
  `client_encoding = 'UTF8'`,
  'extra_float_digits = 1',
]
/** What every connection is told first. */
const SESSION_BEGINS = ['SESSION CHARACTERISTICS AS TRANSACTION READ ONLY', ...SETTINGS]
  .map((setting) => `SET ${setting}`)
  .join('; ')
/** What every transaction of a pool begins with: what a session is told there is forgotten with its transaction. */
const TRANSACTION_BEGINS = ['BEGIN READ ONLY', ...SETTINGS.map((setting) => `SET LOCAL ${setting}`)].join('; ')
/** When the newest transaction that is seen began: another one each time it is asked, and nothing in its words says so. */
const NEWEST_TRANSACTION = 'SELECT MAX(xact_start)::text FROM pg_catalog.pg_stat_activity'

interface Message {
  type: string
  body: Uint8Array
}

/**
 * Signs in, under TLS whose certificate is of the host; through the installation's pool where it keeps one for the login.
 * @throws SourceError, DoorError
 */
export async function openPostgres(doors: Doors, login: DatabaseLogin): Promise<DatabaseClient> {
  const pool = doors.pool(login)
  if (pool === 'wrong_password') throw new DatabaseError('password', '28P01')
  if (!pool) return openSession(doors, login, (wire) => new Session(wire, false))
  const { user, password, database } = pool.signIn
  const through: Doors = { ...doors, connect: async () => ({ ...pool.connect(), isLocal: true }) }
  return openSession(through, { ...login, user, password, database }, (wire) => new Session(wire, true))
}

class Session implements DatabaseClient {
  readonly #wire: Wire
  /** Each statement may be answered over another connection to the server: only within a transaction it is the same. */
  readonly #isPooled: boolean
  constructor(wire: Wire, isPooled: boolean) {
    this.#wire = wire
    this.#isPooled = isPooled
  }

  async signIn(login: DatabaseLogin, isSealed: boolean): Promise<void> {
    if (isSealed) await this.#startTls()
    await this.#letIn(login, isSealed)
    if (!this.#isPooled) await this.#simple(SESSION_BEGINS)
  }

  async #startTls(): Promise<void> {
    await this.#wire.write(concatBytes([int32(8), int32(SSL_REQUEST)]))
    const [answer] = await this.#wire.read(1)
    if (answer !== YES) throw noTls()
    this.#wire.startTls()
  }

  async #letIn({ user, database, password }: DatabaseLogin, isSealed: boolean): Promise<void> {
    const told = ['user', user, 'database', database, 'application_name', 'Insikt', 'client_encoding', 'UTF8']
    const body = concatBytes([int32(PROTOCOL), ...told.map(zeroEnded), new Uint8Array(1)])
    await this.#wire.write(concatBytes([int32(body.length + 4), body]))
    for (;;) {
      const message = await this.#next()
      if (message.type === 'Z') return
      if (message.type === 'R') await this.#authenticate(message.body, { user, password, isSealed })
      else if (message.type !== 'K') throw brokenWire()
    }
  }

  async #authenticate(body: Uint8Array, who: { user: string; password: string; isSealed: boolean }): Promise<void> {
    const way = int32At(body, 0)
    if (way === 0) return
    if (way === 10) return this.#scram(body, who.password)
    // The password itself is never said to a server, and its MD5 only where nobody listens: nor does anybody on the way to a pool.
    if (way === 5 && (who.isSealed || this.#isPooled)) return this.#md5(body.subarray(4, 8), who)
    if (way === 3 && this.#isPooled) return this.#send('p', zeroEnded(who.password))
    throw weakSignIn()
  }
  async #scram(body: Uint8Array, password: string): Promise<void> {
    if (!textOf(body.subarray(4)).split('\0').includes('SCRAM-SHA-256')) throw weakSignIn()
    const exchange = scramExchange(password, randomBytes(NONCE_BYTES))
    const first = utf8(exchange.first)
    await this.#send('p', concatBytes([zeroEnded('SCRAM-SHA-256'), int32(first.length), first]))
    const asked = await this.#authentication(11)
    const { message, isServer } = await exchange.answer(asked)
    await this.#send('p', utf8(message))
    if (!isServer(await this.#authentication(12))) throw weakSignIn()
  }
  async #authentication(way: number): Promise<Uint8Array> {
    const { type, body } = await this.#next()
    if (type !== 'R' || int32At(body, 0) !== way) throw brokenWire()
    return body.subarray(4)
  }
  async #md5(salt: Uint8Array, { user, password }: { user: string; password: string }): Promise<void> {
    const inner = await md5Hex(utf8(`${password}${user}`))
    await this.#send('p', zeroEnded(`md5${await md5Hex(concatBytes([utf8(inner), salt]))}`))
  }

  /** Our own statements, whose answers nobody reads. */
  async #simple(text: string): Promise<void> {
    await this.#send('Q', zeroEnded(text))
    await this.#answer(0)
  }

  async query(text: string, values: readonly string[] = [], rowsMax = ANSWER_ROWS_MAX): Promise<DatabaseAnswer> {
    this.#wire.within(ANSWER_WAIT_MS)
    if (!this.#isPooled) return this.#statement(text, values, rowsMax)
    await this.#simple(TRANSACTION_BEGINS)
    try {
      return await this.#statement(text, values, rowsMax)
    } finally {
      // What fails took its transaction with it, and the connection where it broke.
      await this.#simple('ROLLBACK').catch(() => undefined)
    }
  }

  async assertUncached(): Promise<void> {
    if (!this.#isPooled) return
    const [one, other] = [await this.query(NEWEST_TRANSACTION), await this.query(NEWEST_TRANSACTION)]
    if (one.rows[0]?.[0] === other.rows[0]?.[0]) throw cachedAnswers()
  }

  async #statement(text: string, values: readonly string[], rowsMax: number): Promise<DatabaseAnswer> {
    const bytes = values.map(utf8)
    const parameters = bytes.flatMap((value) => [int32(value.length), value])
    const bind = [zeroEnded(''), zeroEnded(''), int16(0), int16(values.length), ...parameters, int16(0)]
    await this.#wire.write(
      concatBytes([
        framed('P', concatBytes([zeroEnded(''), zeroEnded(text), int16(0)])),
        framed('B', concatBytes(bind)),
        framed('D', concatBytes([utf8('P'), zeroEnded('')])),
        framed('E', concatBytes([zeroEnded(''), int32(rowsMax)])),
        framed('S', new Uint8Array(0)),
      ]),
    )
    return this.#answer(rowsMax)
  }

  async #answer(rowsMax: number): Promise<DatabaseAnswer> {
    const answer: DatabaseAnswer = { columns: [], rows: [] }
    let refusal: Error | null = null
    for (;;) {
      const { type, body } = await this.#receive()
      if (type === 'Z') {
        if (refusal) throw refusal
        return answer
      }
      if (type === 'E') refusal = refusalOf(body)
      else if (type === 'T') answer.columns = describedColumns(body)
      else if (type === 'D' && answer.rows.length < rowsMax) answer.rows.push(cellsOf(body))
      // Copies in and out and whatever else a reading asks for never happens.
      else if (!EXPECTED.has(type)) throw brokenWire()
    }
  }

  async close(): Promise<void> {
    await this.#send('X', new Uint8Array(0)).catch(() => undefined)
    await this.#wire.close()
  }

  async #send(type: string, body: Uint8Array): Promise<void> {
    await this.#wire.write(framed(type, body))
  }
  /** A message that is none of those which say things on the side. */
  async #next(): Promise<Message> {
    for (;;) {
      const message = await this.#receive()
      if (message.type === 'E') throw refusalOf(message.body)
      if (message.type !== 'N' && message.type !== 'S') return message
    }
  }
  async #receive(): Promise<Message> {
    const head = await this.#wire.read(5)
    const length = int32At(head, 1)
    if (length < 4 || length > MESSAGE_MAX_BYTES) throw brokenWire()
    const type = String.fromCharCode(head[0] ?? 0)
    return { type, body: await this.#wire.read(length - 4) }
  }
}

/** Parsed, bound, nothing to describe, an end, an empty statement, more rows than asked for, things said on the side. */
const EXPECTED: ReadonlySet<string> = new Set(['1', '2', 'n', 'C', 'I', 's', 'N', 'S', 'D'])

const int32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
const int16 = (value: number): Uint8Array => Uint8Array.of(value >>> 8, value)
const framed = (type: string, body: Uint8Array): Uint8Array => concatBytes([utf8(type), int32(body.length + 4), body])
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
function int32At(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) throw brokenWire()
  return viewOf(bytes).getInt32(at)
}
function int16At(bytes: Uint8Array, at: number): number {
  if (at + 2 > bytes.length) throw brokenWire()
  return viewOf(bytes).getUint16(at)
}

function describedColumns(body: Uint8Array): AnsweredColumn[] {
  const columns: AnsweredColumn[] = []
  let at = 2
  for (let left = int16At(body, 0); left > 0; left -= 1) {
    const end = body.indexOf(0, at)
    if (end < 0) throw brokenWire()
    columns.push({
      name: textOf(body.subarray(at, end)),
      type: int32At(body, end + 7),
      modifier: int32At(body, end + 13),
    })
    at = end + 19
  }
  return columns
}
function cellsOf(body: Uint8Array): (string | null)[] {
  const cells: (string | null)[] = []
  let at = 2
  for (let left = int16At(body, 0); left > 0; left -= 1) {
    const length = int32At(body, at)
    at += 4
    if (length < 0) {
      cells.push(null)
      continue
    }
    if (at + length > body.length) throw brokenWire()
    cells.push(textOf(body.subarray(at, at + length)))
    at += length
  }
  return cells
}

/** By the class or code of its error (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const REFUSALS: Record<string, DatabaseRefusal> = {
  ...{ '28P01': 'password', '28000': 'password', '3D000': 'database', '42501': 'permission', '57014': 'timeout' },
  ...{
    '53300': 'full',
    '42P01': 'missing',
    '42703': 'missing',
    '25006': 'read_only',
    '42': 'statement',
    '22': 'statement',
  },
}
function refusalOf(body: Uint8Array): DatabaseError {
  const code = textOf(body)
    .split('\0')
    .find((field) => field.startsWith('C'))
    ?.slice(1)
  const known = code ?? ''
  return new DatabaseError(REFUSALS[known] ?? REFUSALS[known.slice(0, 2)] ?? 'other', known)
}

async function md5Hex(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('MD5', new Uint8Array(bytes)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
