import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/*
 * PostgreSQL's sign-in by SCRAM-SHA-256 (RFC 5802, RFC 7677; https://www.postgresql.org/docs/current/sasl-authentication.html)
 * before a server that asks nobody. It offers no TLS: it stands on this machine only.
 */
const ROUNDS = 4096
const [SSL_REQUEST, PROTOCOL] = [80_877_103, 196_608]

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const framed = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const authentication = (way: number, body = Buffer.alloc(0)): Buffer => {
  const number = Buffer.alloc(4)
  number.writeInt32BE(way)
  return framed('R', Buffer.concat([number, body]))
}
const refusal = (code: string, message: string): Buffer =>
  framed('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`))

/** Messages of a connection as they come, each with its type; the first has none. */
class Incoming {
  #held = Buffer.alloc(0)
  #isStarted = false
  add(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes])
  }
  /** Null: not all of it is here yet. */
  next(): Buffer | null {
    const head = this.#isStarted ? 1 : 0
    if (this.#held.length < head + 4) return null
    const end = head + this.#held.readInt32BE(head)
    if (this.#held.length < end) return null
    const message = this.#held.subarray(0, end)
    this.#held = this.#held.subarray(end)
    return message
  }
  started(): void {
    this.#isStarted = true
  }
  rest(): Buffer {
    return this.#held
  }
}

export interface Gate {
  user: string
  /** Asked at each sign-in: it may change. */
  password: () => string
  /** Port of the server behind. */
  port: () => Promise<number>
}

/** Lets a connection through once it has proven the password. */
export function guardConnection(socket: Socket, gate: Gate): void {
  const incoming = new Incoming()
  let startup = Buffer.alloc(0)
  let user = ''
  let told = { clientFirst: '', serverFirst: '', salt: Buffer.alloc(0) }
  const end = (code: string, message: string): void => void socket.end(refusal(code, message))

  const onStartup = (message: Buffer): void => {
    const kind = message.readInt32BE(4)
    if (kind === SSL_REQUEST) return void socket.write('N')
    if (kind !== PROTOCOL) return end('08P01', 'unsupported protocol')
    incoming.started()
    startup = Buffer.from(message)
    const words = message.subarray(8).toString('utf8').split('\0')
    user = words[words.indexOf('user') + 1] ?? ''
    socket.write(authentication(10, Buffer.from('SCRAM-SHA-256\0\0')))
  }
  const onFirst = (body: Buffer): void => {
    const at = body.indexOf(0)
    const first = body.subarray(at + 5).toString('utf8')
    const clientFirst = first.replace(/^n,,/, '')
    const nonce = /(?:^|,)r=([^,]+)/.exec(clientFirst)?.[1] ?? ''
    const salt = randomBytes(16)
    const serverFirst = `r=${nonce}${randomBytes(18).toString('base64')},s=${salt.toString('base64')},i=${ROUNDS}`
    told = { clientFirst, serverFirst, salt }
    socket.write(authentication(11, Buffer.from(serverFirst)))
  }
  const onProof = async (body: Buffer): Promise<void> => {
    const said = body.toString('utf8')
    const [without = '', proof = ''] = said.split(',p=')
    const salted = pbkdf2Sync(gate.password(), told.salt, ROUNDS, 32, 'sha256')
    const all = `${told.clientFirst},${told.serverFirst},${without}`
    const clientKey = hmac(salted, 'Client Key')
    const signature = hmac(createHash('sha256').update(clientKey).digest(), all)
    const expected = clientKey.map((byte, i) => byte ^ (signature[i] ?? 0))
    const given = Buffer.from(proof, 'base64')
    if (user !== gate.user || given.length !== expected.length || !timingSafeEqual(given, expected))
      return end('28P01', `password authentication failed for user "${user}"`)
    const server = hmac(hmac(salted, 'Server Key'), all).toString('base64')
    socket.pause()
    socket.removeListener('data', onData)
    const behind = connect(await gate.port(), '127.0.0.1')
    behind.write(startup)
    socket.write(authentication(12, Buffer.from(`v=${server}`)))
    behind.write(incoming.rest())
    socket.pipe(behind).pipe(socket)
    behind.on('error', () => socket.destroy())
    socket.on('close', () => behind.destroy())
  }
  const onData = (bytes: Buffer): void => {
    incoming.add(bytes)
    for (let message = incoming.next(); message; message = incoming.next()) {
      if (startup.length === 0) onStartup(message)
      else if (told.serverFirst === '') onFirst(message.subarray(5))
      else return void onProof(message.subarray(5)).catch(() => socket.destroy())
    }
  }
  socket.on('data', onData)
  socket.on('error', () => socket.destroy())
}
