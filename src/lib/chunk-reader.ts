/** Each piece costs several turns of the event loop; those of a network are some kB long. */
const CHUNK_BYTES = 256 * 1024

export interface ChunkReader {
  /** The next bytes, which hold until it is called again; null at the end. */
  read(): Promise<Uint8Array | null>
  cancel(): Promise<void>
}

/** Reads a stream in pieces of at least {@link CHUNK_BYTES}, the last one excepted, where the stream can do that. */
export function readInChunks(body: ReadableStream<Uint8Array>): ChunkReader {
  try {
    const reader = body.getReader({ mode: 'byob' })
    // One buffer all the while: fresh ones cost as much as reading.
    let buffer = new ArrayBuffer(CHUNK_BYTES)
    return {
      async read() {
        const { value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(buffer))
        if (!value || value.byteLength === 0) return null
        buffer = value.buffer
        return value
      },
      cancel: () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return { read: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() }
  }
}
