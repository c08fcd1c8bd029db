import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { compressedKey, createBlockCompressor, objectSize, readObject, readObjectBytes } from './compressed-object'
import { readInChunks } from './chunk-reader'
import { unique } from '../../test/worker/factories'

const BLOCK = 256 * 1024

/** Lines of a table, or bytes that nothing makes shorter. */
function content(length: number, kind: 'lines' | 'noise'): Uint8Array {
  if (kind === 'lines') {
    let text = ''
    for (let n = 0; text.length < length; n += 1) {
      const [voucher, account] = [n >> 2, 1000 + ((n * 31) % 400) * 20]
      text += `556000-0001,2025,2025/A/${voucher},A,${voucher},2025-01-${10 + (voucher % 18)},2025/${account},${account},${(voucher * 7919) % 100_000}.50\n`
    }
    return new TextEncoder().encode(text.slice(0, length))
  }
  let seed = 7
  return Uint8Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
    return seed >>> 16
  })
}

async function kept(bytes: Uint8Array, piece = 100_003): Promise<{ key: string; stored: number }> {
  const compressor = createBlockCompressor()
  const blocks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += piece) blocks.push(...compressor.add(bytes.subarray(at, at + piece)))
  blocks.push(...compressor.finish())
  const key = compressedKey(unique('kept'))
  const object = await env.FILES.put(key, await new Blob(blocks.map((block) => block.slice())).arrayBuffer())
  return { key, stored: object?.size ?? 0 }
}

const bytesOf = async (key: string, range?: { offset: number; length?: number }): Promise<Uint8Array> =>
  new Uint8Array(await new Response((await readObject(env.FILES, key, range))?.body).arrayBuffer())
const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, at) => byte === b[at])

describe('an object that is kept compressed', () => {
  it('gives back every byte, of nothing, of less than a block, of whole blocks and of many', async () => {
    for (const kind of ['lines', 'noise'] as const)
      for (const length of [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 7 * BLOCK, 9 * BLOCK + 5]) {
        const bytes = content(length, kind)
        const { key } = await kept(bytes)
        expect([kind, length, await objectSize(env.FILES, key)]).toEqual([kind, length, length])
        expect([kind, length, same(await bytesOf(key), bytes)]).toEqual([kind, length, true])
      }
  })

  it('gives any range, also past its end, and says how long the whole is', async () => {
    const bytes = content(6 * BLOCK + 77, 'noise')
    const { key } = await kept(bytes)
    for (const [offset, length] of [
      ...[[0, 1] as const, [5, BLOCK] as const, [BLOCK, BLOCK] as const, [BLOCK - 1, 2] as const],
      ...[
        [3 * BLOCK + 9, 2 * BLOCK] as const,
        [6 * BLOCK + 70, 500] as const,
        [bytes.length, 10] as const,
        [9, 0] as const,
      ],
    ]) {
      const object = await readObject(env.FILES, key, { offset, length })
      expect(object?.size).toBe(bytes.length)
      const read = new Uint8Array(await new Response(object?.body).arrayBuffer())
      const atOnce = (await readObjectBytes(env.FILES, key, { offset, length })) ?? new Uint8Array(1)
      const wanted = bytes.slice(offset, offset + length)
      expect([offset, length, same(read, wanted), same(atOnce, wanted)]).toEqual([offset, length, true, true])
    }
  })

  it('comes in large pieces to who reads it with a buffer of its own, to its very end', async () => {
    const bytes = content(3 * BLOCK + 11, 'lines')
    const { key } = await kept(bytes)
    const object = await readObject(env.FILES, key, { offset: 100 })
    const chunks = readInChunks(object?.body ?? new ReadableStream())
    let at = 100
    for (let chunk = await chunks.read(); chunk; chunk = await chunks.read()) {
      expect(same(chunk, bytes.subarray(at, at + chunk.length))).toBe(true)
      at += chunk.length
    }
    expect(at).toBe(bytes.length)
  })

  it('takes a fifth of the text of a table at most', async () => {
    const { stored } = await kept(content(8 * BLOCK, 'lines'))
    expect(stored).toBeLessThan((8 * BLOCK) / 5)
  })

  it('is null where there is none, compressed or not, and what is not compressed is read as it is', async () => {
    for (const key of [unique('none'), compressedKey(unique('none'))]) {
      expect(await readObject(env.FILES, key)).toBeNull()
      expect(await readObjectBytes(env.FILES, key, { offset: 0, length: 1 })).toBeNull()
      expect(await objectSize(env.FILES, key)).toBeNull()
    }
    const key = unique('plain')
    await env.FILES.put(key, 'abcdef')
    expect(await objectSize(env.FILES, key)).toBe(6)
    expect(new TextDecoder().decode(await bytesOf(key, { offset: 2, length: 3 }))).toBe('cde')
    expect(new TextDecoder().decode(await bytesOf(key))).toBe('abcdef')
    const atOnce = await readObjectBytes(env.FILES, key, { offset: 1, length: 2 })
    expect(new TextDecoder().decode(atOnce ?? new Uint8Array(0))).toBe('bc')
  })
})
