import { readInChunks } from '../../lib/large-pieces'
import { ProductError } from '../../shared/errors'

export interface StoredPart {
  etag: string
  /** SHA-256 of the bytes, lowercase hex. */
  digest: string
}

/**
 * Streams one part into the store while counting it: exactly `expected` bytes or nothing.
 * @throws ProductError `too_large` for more, `bad_request` for less or for a sender that gave up.
 */
export async function storePart(
  body: ReadableStream<Uint8Array>,
  expected: number,
  store: (bytes: ReadableStream) => Promise<R2UploadedPart>,
): Promise<StoredPart> {
  const fixed = new FixedLengthStream(expected)
  const digester = new crypto.DigestStream('SHA-256')
  const stored = store(fixed.readable)
  // Both are awaited below; until then a refusal of the copy must not surface as unhandled.
  stored.catch(() => undefined)
  digester.digest.catch(() => undefined)
  await copyExactly(body, expected, [fixed.writable.getWriter(), digester.getWriter()])
  const [{ etag }, digest] = await Promise.all([stored, digester.digest])
  return { etag, digest: Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') }
}

async function copyExactly(
  body: ReadableStream<Uint8Array>,
  expected: number,
  writers: WritableStreamDefaultWriter<Uint8Array>[],
): Promise<void> {
  const reader = readInChunks(body)
  let sent = 0
  try {
    for (;;) {
      const value = await reader.read()
      if (value === null) break
      sent += value.byteLength
      if (sent > expected) throw partTooLargeError(expected)
      await Promise.all(writers.map((writer) => writer.write(value)))
    }
    if (sent < expected) throw partIncompleteError()
    await Promise.all(writers.map((writer) => writer.close()))
  } catch (cause) {
    await Promise.all(writers.map((writer) => writer.abort(cause).catch(() => undefined)))
    await reader.cancel().catch(() => undefined)
    throw cause instanceof ProductError ? cause : partIncompleteError(cause)
  }
}

export const partTooLargeError = (max: number): ProductError =>
  new ProductError('too_large', { what: 'body', max }, 'This part is longer than agreed. Start the upload again.')

export const partIncompleteError = (cause?: unknown): ProductError =>
  new ProductError('bad_request', {}, 'This part did not arrive whole. Send it again.', { cause })
