/** Each piece costs several turns of the event loop; those of a network are some kB long. */
const PIECE_BYTES = 256 * 1024

export interface PieceReader {
  /** The next bytes; null at the end. */
  read(): Promise<Uint8Array | null>
  cancel(): Promise<void>
}

/** Reads a stream in pieces of at least {@link PIECE_BYTES}, the last one excepted, where the stream can do that. */
export function largePieces(body: ReadableStream<Uint8Array>): PieceReader {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return {
      async read() {
        const { value } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(PIECE_BYTES))
        return value && value.byteLength > 0 ? value : null
      },
      cancel: () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return { read: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() }
  }
}
