/** Each piece costs several turns of the event loop; those of a network are some kB long. */
const CHUNK_BYTES = 256 * 1024

export interface ChunkReader {
  /** The next bytes; null at the end. */
  read(): Promise<Uint8Array | null>
  cancel(): Promise<void>
}

/** Reads a stream in pieces of at least {@link CHUNK_BYTES}, the last one excepted, where the stream can do that. */
export function readInChunks(body: ReadableStream<Uint8Array>): ChunkReader {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return {
      async read() {
        const { value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES))
        return value && value.byteLength > 0 ? value : null
      },
      cancel: () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return { read: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() }
  }
}
