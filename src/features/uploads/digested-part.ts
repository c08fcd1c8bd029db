import { toHex } from '../../lib/hash'

/**
 * Streams pieces of exactly `length` bytes in all into the store, and works out their SHA-256 (lowercase hex) on the way.
 * When the pieces fail nothing is stored, and what they failed with is thrown.
 */
export async function storeDigested<T>(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
  store: (bytes: ReadableStream) => Promise<T>,
): Promise<{ stored: T; digest: string }> {
  const fixed = new FixedLengthStream(length)
  const digester = new crypto.DigestStream('SHA-256')
  const storing = store(fixed.readable)
  const toStore = fixed.writable.getWriter()
  // A store that refuses reads no further: the copy would wait for it without end.
  storing.catch((cause: unknown) => toStore.abort(cause).catch(() => undefined))
  // Awaited below; until then a refusal of the copy must not surface as unhandled.
  digester.digest.catch(() => undefined)
  const copied = copyToAll(pieces, [toStore, digester.getWriter()])
  await Promise.race([copied, storing.then(() => copied)])
  const [stored, digest] = await Promise.all([storing, digester.digest])
  return { stored, digest: toHex(digest) }
}

async function copyToAll(
  pieces: AsyncIterable<Uint8Array>,
  writers: WritableStreamDefaultWriter<Uint8Array>[],
): Promise<void> {
  try {
    for await (const piece of pieces) await Promise.all(writers.map((writer) => writer.write(piece)))
    await Promise.all(writers.map((writer) => writer.close()))
  } catch (cause) {
    // Not waited for: what the pieces failed with is told before the store says that it was broken off.
    for (const writer of writers) writer.abort(cause).catch(() => undefined)
    throw cause
  }
}
