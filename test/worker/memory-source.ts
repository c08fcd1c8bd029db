import type { ByteSource } from '../../src/formats/contract'

const PIECE_BYTES = 64 * 1024

/** A file in memory, read as a stored one is; `pieces` is the length of its stream's pieces. */
export const memorySource = (fileName: string, bytes: Uint8Array, pieces = PIECE_BYTES): ByteSource => ({
  fileName,
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
  stream(offset = 0) {
    let at = offset
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + pieces))
        at += pieces
      },
    })
  },
})
