import { brokenWire, textOf, utf8, type Wire } from '../databases/wire'
import { concatBytes } from '../../lib/concat-bytes'
import { DoorError } from '../../outbound/doors'

/** A packet's length has three bytes; one that is full goes on in the next, and no cell of ours is so long. */
const PACKET_MAX_BYTES = 0xff_ff_ff

/** Packets of a connection, numbered within each exchange. */
export class Packets {
  readonly wire: Wire
  #sequence = 0
  constructor(wire: Wire) {
    this.wire = wire
  }

  /** A new exchange begins. */
  restart(): void {
    this.#sequence = 0
  }
  async send(body: Uint8Array): Promise<void> {
    if (body.length >= PACKET_MAX_BYTES) throw new DoorError('too_large')
    await this.wire.write(concatBytes([whole(body.length, 3), Uint8Array.of(this.#sequence), body]))
    this.#sequence = (this.#sequence + 1) & 0xff
  }
  async receive(): Promise<PacketReader> {
    const head = await this.wire.read(4)
    const length = (head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16)
    if (length === PACKET_MAX_BYTES) throw new DoorError('too_large')
    this.#sequence = ((head[3] ?? 0) + 1) & 0xff
    return new PacketReader(await this.wire.read(length))
  }
}

/** A packet from its beginning on. */
export class PacketReader {
  readonly bytes: Uint8Array
  #at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  get first(): number {
    return this.bytes[0] ?? -1
  }
  take(length: number): Uint8Array {
    if (this.#at + length > this.bytes.length) throw brokenWire()
    this.#at += length
    return this.bytes.subarray(this.#at - length, this.#at)
  }
  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#at)
  }
  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length
  }
  /** Little-endian. */
  whole(length: number): number {
    return this.take(length).reduceRight((value, byte) => value * 256 + byte, 0)
  }
  untilZero(): Uint8Array {
    const end = this.bytes.indexOf(0, this.#at)
    if (end < 0) return this.rest()
    const found = this.take(end - this.#at)
    this.take(1)
    return found
  }
  /** A length of one to nine bytes. */
  length(): number {
    const first = this.whole(1)
    if (first < 0xfb) return first
    if (first === 0xfc) return this.whole(2)
    if (first === 0xfd) return this.whole(3)
    if (first === 0xfe) return this.whole(8)
    throw brokenWire()
  }
  text(): string {
    return textOf(this.take(this.length()))
  }
}

/** Little-endian. */
export const whole = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) % 256)

/** With its length before it. */
export function counted(text: string): Uint8Array {
  const bytes = utf8(text)
  const { length } = bytes
  if (length < 0xfb) return concatBytes([Uint8Array.of(length), bytes])
  if (length <= 0xff_ff) return concatBytes([Uint8Array.of(0xfc), whole(length, 2), bytes])
  return concatBytes([Uint8Array.of(0xfd), whole(length, 3), bytes])
}
