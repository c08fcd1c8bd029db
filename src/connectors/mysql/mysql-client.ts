import { counted, Packets, whole, type PacketReader } from './packets'
import { scramblePassword, requireSafePlugin, type AuthPlugin } from './auth-plugin'
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
import { DatabaseError, noTls, weakSignIn, type DatabaseRefusal } from '../databases/refusals'
import { brokenWire, textOf, utf8, zeroEnded } from '../databases/wire'
import { concatBytes } from '../../lib/concat-bytes'
import type { Doors } from '../../outbound/doors'

/*
 * The client's side of MySQL's protocol (https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html), as much of
 * it as reading needs: prepared statements whose values travel apart. Files of ours are never offered, and several
 * statements at once are never allowed.
 */
const CAN = { longPassword: 1, longFlag: 4, withDatabase: 8, protocol41: 0x200, tls: 0x800, transactions: 0x2000 }
const CAN_TOO = { secureConnection: 0x8000, pluginAuth: 0x8_0000 }
const UTF8MB4 = 45
const [OK, MORE, FILE, EOF, ERROR] = [0x00, 0x01, 0xfb, 0xfe, 0xff]
const COMMAND = { query: 0x03, prepare: 0x16, execute: 0x17, closeStatement: 0x19, quit: 0x01 }

interface Greeting {
  isMaria: boolean
  capabilities: number
  nonce: Uint8Array
  plugin: string
}

/** Signs in, under TLS whose certificate is of the host. @throws SourceError, DoorError */
export const openMysql = (doors: Doors, login: DatabaseLogin): Promise<DatabaseClient> =>
  openSession(doors, login, (wire) => new Session(new Packets(wire)))

class Session implements DatabaseClient {
  readonly #packets: Packets
  constructor(packets: Packets) {
    this.#packets = packets
  }

  async signIn(login: DatabaseLogin, isSealed: boolean): Promise<void> {
    const greeting = await this.#greeting()
    if (isSealed && (greeting.capabilities & CAN.tls) === 0) throw noTls()
    const own = Object.values({ ...CAN, ...CAN_TOO, tls: isSealed ? CAN.tls : 0 }).reduce((all, one) => all | one, 0)
    const head = concatBytes([whole(own, 4), whole(0xff_ff_ff, 4), Uint8Array.of(UTF8MB4), new Uint8Array(23)])
    if (isSealed) {
      await this.#packets.send(head)
      this.#packets.wire.startTls()
    }
    // What the server does not ask for by itself is answered by the safer plugin, and it may ask for the other.
    const plugin: AuthPlugin = greeting.plugin === 'mysql_native_password' ? greeting.plugin : 'caching_sha2_password'
    const proof = await scramblePassword(plugin, login.password, greeting.nonce)
    const who = [
      zeroEnded(login.user),
      Uint8Array.of(proof.length),
      proof,
      zeroEnded(login.database),
      zeroEnded(plugin),
    ]
    await this.#packets.send(concatBytes([head, ...who]))
    await this.#proven(login, isSealed)
    for (const statement of settingsOf(greeting)) await this.#command(statement)
  }

  async #greeting(): Promise<Greeting> {
    const packet = await this.#packets.receive()
    if (packet.first === ERROR) throw refusalOf(packet)
    if (packet.whole(1) !== 10) throw brokenWire()
    const version = textOf(packet.untilZero())
    packet.take(4)
    const first = packet.take(8)
    packet.take(1)
    const low = packet.whole(2)
    packet.take(3)
    const capabilities = low | (packet.whole(2) << 16)
    const length = Math.max(12, packet.whole(1) - 9)
    packet.take(10)
    const nonce = concatBytes([first, packet.take(length)])
    packet.take(1)
    return { isMaria: version.includes('MariaDB'), capabilities, nonce, plugin: textOf(packet.untilZero()) }
  }

  /** Until the server lets us in. The password itself is only said where nobody listens. */
  async #proven({ password }: DatabaseLogin, isSealed: boolean): Promise<void> {
    for (;;) {
      const packet = await this.#packets.receive()
      if (packet.first === OK) return
      if (packet.first === ERROR) throw refusalOf(packet)
      packet.take(1)
      if (packet.bytes[0] === EOF) {
        const plugin = requireSafePlugin(textOf(packet.untilZero()))
        const nonce = packet.rest()
        const own = nonce.at(-1) === 0 ? nonce.subarray(0, -1) : nonce
        await this.#packets.send(await scramblePassword(plugin, password, own))
      } else if (packet.bytes[0] === MORE && packet.bytes[1] === 4) {
        if (!isSealed) throw weakSignIn()
        await this.#packets.send(utf8(`${password}\0`))
      } else if (packet.bytes[0] !== MORE || packet.bytes[1] !== 3) throw brokenWire()
    }
  }

  /** Our own statements, whose answers nobody reads. */
  async #command(text: string): Promise<void> {
    this.#packets.restart()
    await this.#packets.send(concatBytes([Uint8Array.of(COMMAND.query), utf8(text)]))
    const packet = await this.#packets.receive()
    if (packet.first === ERROR) throw refusalOf(packet)
    if (packet.first !== OK) throw brokenWire()
  }

  async query(text: string, values: readonly string[] = [], rowsMax = ANSWER_ROWS_MAX): Promise<DatabaseAnswer> {
    this.#packets.wire.within(ANSWER_WAIT_MS)
    const statement = await this.#prepare(text)
    try {
      this.#packets.restart()
      await this.#packets.send(executeBody(statement.id, values))
      return await this.#answer(rowsMax)
    } finally {
      this.#packets.restart()
      await this.#packets
        .send(concatBytes([Uint8Array.of(COMMAND.closeStatement), whole(statement.id, 4)]))
        .catch(() => undefined)
    }
  }
  async #prepare(text: string): Promise<{ id: number }> {
    this.#packets.restart()
    await this.#packets.send(concatBytes([Uint8Array.of(COMMAND.prepare), utf8(text)]))
    const packet = await this.#packets.receive()
    if (packet.first === ERROR) throw refusalOf(packet)
    if (packet.whole(1) !== OK) throw brokenWire()
    const id = packet.whole(4)
    const [columns, parameters] = [packet.whole(2), packet.whole(2)]
    for (const count of [parameters, columns]) if (count > 0) await this.#described(count)
    return { id }
  }
  async #described(count: number): Promise<AnsweredColumn[]> {
    const columns: AnsweredColumn[] = []
    for (let left = count; left > 0; left -= 1) columns.push(describedColumn(await this.#packets.receive()))
    const end = await this.#packets.receive()
    if (end.first !== EOF) throw brokenWire()
    return columns
  }

  async #answer(rowsMax: number): Promise<DatabaseAnswer> {
    const head = await this.#packets.receive()
    if (head.first === ERROR) throw refusalOf(head)
    if (head.first === OK) return { columns: [], rows: [] }
    // A file of ours is asked for: nobody has offered any.
    if (head.first === FILE) throw brokenWire()
    const columns = await this.#described(head.length())
    const rows: (string | null)[][] = []
    for (;;) {
      const packet = await this.#packets.receive()
      if (packet.first === ERROR) throw refusalOf(packet)
      if (packet.first === EOF && packet.bytes.length < 9) return { columns, rows }
      if (packet.whole(1) !== OK) throw brokenWire()
      if (rows.length < rowsMax) rows.push(binaryCells(packet, columns))
    }
  }

  async close(): Promise<void> {
    this.#packets.restart()
    await this.#packets.send(Uint8Array.of(COMMAND.quit)).catch(() => undefined)
    await this.#packets.wire.close()
  }
}

const settingsOf = ({ isMaria }: Greeting): string[] => [
  'SET NAMES utf8mb4',
  `SET time_zone = '+00:00'`,
  'SET SESSION TRANSACTION READ ONLY',
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  isMaria
    ? `SET SESSION max_statement_time = ${STATEMENT_MAX_MS / 1000}`
    : `SET SESSION max_execution_time = ${STATEMENT_MAX_MS}`,
]

const TEXT_TYPE = 0xfd
function executeBody(id: number, values: readonly string[]): Uint8Array {
  const head = [Uint8Array.of(COMMAND.execute), whole(id, 4), new Uint8Array(1), whole(1, 4)]
  if (values.length === 0) return concatBytes(head)
  const types = values.flatMap(() => [TEXT_TYPE, 0])
  const nulls = new Uint8Array(Math.ceil(values.length / 8))
  return concatBytes([...head, nulls, Uint8Array.of(1), Uint8Array.from(types), ...values.map(counted)])
}

function describedColumn(packet: PacketReader): AnsweredColumn {
  for (let skipped = 0; skipped < 4; skipped += 1) packet.text()
  const name = packet.text()
  packet.text()
  packet.take(7)
  const type = packet.whole(1)
  packet.take(2)
  return { name, type, modifier: packet.whole(1) }
}

/** Types whose values come as texts with their length: our statements ask for no others than these and whole numbers. */
const AS_TEXT: ReadonlySet<number> = new Set([0x00, 0x0f, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe])
const WHOLE_BYTES: Partial<Record<number, number>> = { 0x01: 1, 0x02: 2, 0x03: 4, 0x08: 8, 0x0d: 2 }

function binaryCells(packet: PacketReader, columns: readonly AnsweredColumn[]): (string | null)[] {
  const nulls = packet.take(Math.floor((columns.length + 9) / 8))
  return columns.map(({ type }, i) => {
    const bit = i + 2
    if (((nulls[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0 || type === 0x06) return null
    if (AS_TEXT.has(type)) return packet.text()
    const bytes = WHOLE_BYTES[type]
    if (bytes === undefined) throw brokenWire()
    const value = BigInt.asIntN(
      bytes * 8,
      packet.take(bytes).reduceRight((all, byte) => all * 256n + BigInt(byte), 0n),
    )
    return String(value)
  })
}

/** By the number of its error (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html). */
const REFUSALS: Record<number, DatabaseRefusal> = {
  ...{ 1045: 'password', 1698: 'password', 1044: 'database', 1049: 'database', 1040: 'full', 1203: 'full' },
  ...{ 1142: 'permission', 1143: 'permission', 1227: 'permission', 1146: 'missing', 1054: 'missing', 1051: 'missing' },
  ...{ 3024: 'timeout', 1969: 'timeout', 1317: 'timeout', 1792: 'read_only', 1290: 'read_only', 1064: 'statement' },
}
function refusalOf(packet: PacketReader): DatabaseError {
  packet.take(1)
  const code = packet.whole(2)
  return new DatabaseError(REFUSALS[code] ?? 'other', String(code))
}
