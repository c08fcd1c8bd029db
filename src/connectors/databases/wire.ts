import { SourceError } from '../contract'
import { concatBytes } from '../../lib/concat-bytes'
import { DoorError, type DoorSocket } from '../../outbound/doors'

/** A server that speaks otherwise than it should. What it said is told to nobody. */
export const brokenWire = (): SourceError =>
  new SourceError('down', {
    message: 'The server’s answers can’t be read.',
    mend: 'Check the host, the port and that it is this kind of database.',
  })

/** Longer messages of a server are not read: no cell that we keep is near it. */
export const MESSAGE_MAX_BYTES = 16 * 1024 * 1024

/** Bytes of a connection, read as they are asked for. */
export class Wire {
  #socket: DoorSocket
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)
  #read = 0
  readonly #maxBytes: number
  #late: Promise<never> | null = null

  /** @param maxBytes of all that the server sends */
  constructor(socket: DoorSocket, maxBytes: number) {
    this.#socket = socket
    this.#reader = socket.readable.getReader()
    this.#writer = socket.writable.getWriter()
    this.#maxBytes = maxBytes
  }

  /** The same under TLS. What came before it is not believed: a server that said anything more is refused. */
  startTls(): void {
    if (this.#held.length > 0) throw brokenWire()
    this.#reader.releaseLock()
    this.#writer.releaseLock()
    this.#socket = this.#socket.startTls()
    this.#reader = this.#socket.readable.getReader()
    this.#writer = this.#socket.writable.getWriter()
  }

  /** From now on for so long: what is read after that fails with `timeout`. */
  within(ms: number): void {
    const late = new Promise<never>((_resolve, reject) => {
      const fail = (): void => reject(new DoorError('timeout'))
      AbortSignal.timeout(ms).addEventListener('abort', fail, { once: true })
    })
    late.catch(() => undefined)
    this.#late = late
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes).catch((cause: unknown) => {
      throw cause instanceof DoorError ? cause : new DoorError('down', { cause })
    })
  }

  /** @throws DoorError `down` when the connection ends before, `too_large` past the cap */
  async read(length: number): Promise<Uint8Array> {
    if (length > MESSAGE_MAX_BYTES) throw new DoorError('too_large')
    const parts: Uint8Array[] = [this.#held]
    let size = this.#held.length
    while (size < length) {
      const part = await this.#next()
      parts.push(part)
      size += part.length
    }
    const all = parts.length === 1 ? this.#held : concatBytes(parts)
    this.#held = all.subarray(length)
    return all.subarray(0, length)
  }

  async #next(): Promise<Uint8Array> {
    const next = this.#reader.read().catch((cause: unknown) => {
      throw cause instanceof DoorError ? cause : new DoorError('down', { cause })
    })
    const { done, value } = await (this.#late ? Promise.race([next, this.#late]) : next)
    if (done) throw new DoorError('down')
    this.#read += value.length
    if (this.#read > this.#maxBytes) throw new DoorError('too_large')
    return value
  }

  async close(): Promise<void> {
    await this.#socket.close().catch(() => undefined)
  }
}

const encoder = new TextEncoder()
// A text may begin with the sign that files begin with.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
export const utf8 = (text: string): Uint8Array => encoder.encode(text)
/** A text as both protocols write names: a zero says where it ends. */
export const zeroEnded = (text: string): Uint8Array => utf8(`${text.replaceAll('\0', '')}\0`)
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)
