import type { ByteSource } from './contract'

const PIECE_BYTES = 64 * 1024

/** A file that is wholly in memory: small ones, and tests. */
export const memorySource = (fileName: string, bytes: Uint8Array): ByteSource => ({
  fileName,
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  stream(offset = 0) {
    let at = offset
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + PIECE_BYTES))
        at += PIECE_BYTES
      },
    })
  },
})
