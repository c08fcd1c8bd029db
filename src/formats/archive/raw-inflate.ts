import zlib from 'node:zlib'

/** What of a piece is inflated before it is asked for: more waits until this was read, whatever the piece grows to. */
const OUTPUT_BYTES = 64 * 1024

/**
 * Inflates raw deflate data by the platform's own inflater, piece by piece, each only when what came of the one before was
 * taken. What follows the data's own end is not looked at.
 * @param damaged the error for what is no such data or stops before its end
 */
export async function* inflateRaw(
  packed: AsyncIterable<Uint8Array>,
  damaged: (cause: unknown) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = zlib.createInflateRaw({ chunkSize: OUTPUT_BYTES })
  let wake = (): void => undefined
  let failed: { cause: unknown } | null = null
  inflater.on('error', (cause) => {
    failed = { cause }
    wake()
  })
  inflater.on('readable', () => wake())
  inflater.on('end', () => wake())
  /** What grows of a step until it is done. */
  async function* grown(step: (done: () => void) => void): AsyncGenerator<Uint8Array, void, undefined> {
    let isDone = false
    step(() => {
      isDone = true
      wake()
    })
    for (;;) {
      const bytes = inflater.read()
      if (bytes) yield bytes
      else if (failed) throw damaged(failed.cause)
      else if (isDone) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  try {
    let given = 0
    for await (const piece of packed) {
      yield* grown((done) => inflater.write(piece, done))
      given += piece.length
      if (inflater.bytesWritten < given) return
    }
    yield* grown((done) => inflater.end(done))
  } finally {
    inflater.destroy()
  }
}
