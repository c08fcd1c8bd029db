import { describe, expect, it } from 'vitest'
import { inflateRaw } from './raw-inflate'
import { concatBytes } from '../../lib/concat-bytes'

const deflated = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(
    await new Response(
      new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    ).arrayBuffer(),
  )
const damaged = (cause: unknown): Error => new Error('damaged', { cause })

/** Hands out pieces of so many bytes, and tells how many were taken and whether the rest was let go. */
function piecesOf(bytes: Uint8Array, length: number) {
  const told = { taken: 0, isClosed: false }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes.length; at += length) {
        told.taken += 1
        yield bytes.slice(at, at + length)
      }
    } finally {
      told.isClosed = true
    }
  }
  return { told, pieces: pieces() }
}

async function inflated(packed: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const bytes of inflateRaw(packed, damaged)) all.push(bytes)
  return concatBytes(all)
}

const TEXT = new TextEncoder().encode(Array.from({ length: 40_000 }, (_, n) => `${n * 7919}`).join('\n'))

describe('deflated data', () => {
  it('comes out as it was, in whatever pieces it comes in', async () => {
    const packed = await deflated(TEXT)
    for (const length of [7, 4096, 100_000, packed.length])
      expect(await inflated(piecesOf(packed, length).pieces)).toEqual(TEXT)
    expect(await inflated(piecesOf(await deflated(new Uint8Array(0)), 10).pieces)).toHaveLength(0)
  })

  it('ends where it says so, whatever follows', async () => {
    const packed = await deflated(TEXT)
    for (const more of [1, 5000, 200_000]) {
      const longer = concatBytes([packed, new Uint8Array(more).fill(7)])
      for (const length of [1000, packed.length, longer.length])
        expect(await inflated(piecesOf(longer, length).pieces)).toEqual(TEXT)
    }
  })

  it('is told as damaged where it stops too early or is none', async () => {
    const packed = await deflated(TEXT)
    for (const cut of [0, 1, 1000, packed.length - 1])
      await expect(inflated(piecesOf(packed.subarray(0, cut), 500).pieces)).rejects.toThrow('damaged')
    await expect(inflated(piecesOf(new Uint8Array(100).fill(0xff), 10).pieces)).rejects.toThrow('damaged')
  })

  it('grows no further than it is read, and lets go of its source when nobody reads on', async () => {
    const bomb = await deflated(new Uint8Array(50_000_000))
    const { told, pieces } = piecesOf(bomb, 16 * 1024)
    let read = 0
    for await (const bytes of inflateRaw(pieces, damaged)) {
      expect(bytes.length).toBeLessThanOrEqual(256 * 1024)
      read += bytes.length
      if (read > 1_000_000) break
    }
    expect(told).toEqual({ taken: 1, isClosed: true })
  })

  it('fails as its source does', async () => {
    const packed = await deflated(TEXT)
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, 100)
      throw new Error('the store is away')
    }
    await expect(inflated(failing())).rejects.toThrow('the store is away')
  })
})
