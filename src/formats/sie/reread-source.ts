import type { ByteSource } from '../contract'
import { createBlockCompressor, decompressBlock } from '../../lib/compressed-object'

/** Compressed bytes that are held at most: a ledger of 80 MB takes some 15. */
const HELD_MAX_BYTES = 24 * 1024 * 1024

/**
 * The same file for a reader that goes through it twice: what the first reading came by is held compressed, which costs a
 * third of fetching it again. A file that takes more than is held is fetched again.
 */
export function rereadSource(source: ByteSource, maxBytes = HELD_MAX_BYTES): ByteSource {
  let blocks: Uint8Array[] = []
  let isWhole = false
  async function* recorded(): AsyncGenerator<Uint8Array, void, undefined> {
    const compressor = createBlockCompressor()
    const kept: Uint8Array[] = []
    let held = 0
    for await (const piece of source.stream()) {
      for (const block of held > maxBytes ? [] : compressor.add(piece)) {
        kept.push(block)
        held += block.length
      }
      if (held > maxBytes) kept.length = 0
      yield piece
    }
    isWhole = held <= maxBytes
    if (isWhole) blocks = [...kept, ...compressor.last()]
  }
  function* replayed(): Generator<Uint8Array, void, undefined> {
    for (const block of blocks) yield decompressBlock(block)
  }
  return {
    ...source,
    stream: (offset = 0) => (offset > 0 ? source.stream(offset) : streamOf(isWhole ? replayed() : recorded())),
  }
}

/** Pieces are made when they are asked for, and not before. */
function streamOf(pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
