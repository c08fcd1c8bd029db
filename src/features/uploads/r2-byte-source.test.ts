import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { compressedKey } from '../../lib/compressed-object'
import { ObjectWriter } from './object-writer'
import { r2ByteSource } from './r2-byte-source'
import { unique } from '../../../test/worker/factories'
import { ProductError } from '../../shared/errors'

const MIB = 1024 * 1024
/** No two stretches of it are alike. Loops, since there are megabytes of it. */
function bytes(length: number): Uint8Array {
  const made = new Uint8Array(length)
  for (let at = 0; at < length; at++) made[at] = (at * 31 + (at >> 8) * 7) & 255
  return made
}

/** Bytes that nothing makes shorter. */
function noise(length: number): Uint8Array {
  const made = new Uint8Array(length)
  for (let at = 0, seed = 7; at < length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
    made[at] = seed >>> 16
  }
  return made
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** The store, counting its reads. */
function counted(): { files: R2Bucket; reads: () => number } {
  let reads = 0
  const files = new Proxy(env.FILES, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'get') reads++
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { files, reads: () => reads }
}

async function stored(content: Uint8Array) {
  const objectKey = unique('file')
  await env.FILES.put(objectKey, content)
  const { files, reads } = counted()
  return { source: r2ByteSource(files, { objectKey, fileName: 'a', size: content.length }), reads }
}

describe('a stored file', () => {
  it('gives exactly the bytes asked for, within and across windows, and fewer only at its end', async () => {
    const content = bytes(3 * MIB + 500)
    const { source } = await stored(content)
    const asked: [number, number][] = [
      [0, 10],
      [MIB - 3, 6],
      [MIB, MIB],
      [5, 3 * MIB],
      [3 * MIB + 490, 100],
      [3 * MIB + 500, 10],
      [4 * MIB, 1],
    ]
    for (const [offset, length] of asked)
      expect([offset, same(await source.read(offset, length), content.slice(offset, offset + length))]).toEqual([
        offset,
        true,
      ])
  })

  it('costs one read of the store for many small ones beside each other, also at once', async () => {
    const { source, reads } = await stored(bytes(MIB))
    await Promise.all(Array.from({ length: 50 }, (_, at) => source.read(at * 1000, 900)))
    for (let at = 0; at < 50; at++) await source.read(at * 77, 30)
    expect(reads()).toBe(1)
  })

  it('streams all bytes from any offset, in pieces of 64 kB', async () => {
    const content = bytes(300_000)
    const { source } = await stored(content)
    for (const offset of [0, 1, 65_536, 299_999, 300_000, 400_000]) {
      const pieces: Uint8Array[] = []
      for await (const piece of source.stream(offset)) pieces.push(piece)
      const whole = new Uint8Array(await new Blob(pieces.map((piece) => piece.slice())).arrayBuffer())
      expect([offset, same(whole, content.slice(offset))]).toEqual([offset, true])
      if (offset === 0) expect(pieces.length).toBeLessThan(10)
    }
  })

  it('says so when its object is gone', async () => {
    const source = r2ByteSource(env.FILES, { objectKey: 'nothing-here', fileName: 'a', size: 10 })
    await expect(source.read(0, 5)).rejects.toThrow(ProductError)
    await expect(new Response(source.stream()).text()).rejects.toThrow('no longer stored')
  })
})

describe('writing an object of unknown length', () => {
  const UNBOUNDED = { budget: null, offerTurn: () => Promise.resolve() }
  const written = async (content: Uint8Array, piece: number) => {
    const writer = new ObjectWriter(env.FILES, unique('written'), UNBOUNDED)
    for (let at = 0; at < content.length; at += piece) {
      writer.add(content.slice(at, at + piece))
      await writer.flush()
    }
    const done = await writer.finish()
    const object = await env.FILES.get(done.objectKey)
    return { writer, done, bytes: new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0)) }
  }

  it('keeps every byte, of nothing, of little, of one part to the byte and of several', async () => {
    for (const length of [0, 1, 5 * MIB, 5 * MIB + 1, 12 * MIB + 7]) {
      const content = bytes(length)
      const { done, bytes: kept } = await written(content, 1_000_003)
      expect([length, done.size, kept.length]).toEqual([length, length, length])
      expect(same(kept, content)).toBe(true)
    }
  })

  it('has the same digest for the same bytes however they came, and another for others', async () => {
    const content = bytes(6 * MIB)
    const [one, two] = [await written(content, 700_001), await written(content, 2 * MIB)]
    expect(one.done.contentHash).toBe(two.done.contentHash)
    content[5 * MIB + 9] = 1
    expect((await written(content, 2 * MIB)).done.contentHash).not.toBe(one.done.contentHash)
  })

  const COMPRESSED = { ...UNBOUNDED, compresses: true } as const
  it('keeps what is not short compressed, with the same digest for the same bytes however they came', async () => {
    const lines = new TextEncoder().encode('556000-0001,2025,A,17,1930,4000.00\n'.repeat(310_000))
    for (const [content, piece, most] of [
      [lines.slice(0, MIB / 2), 100_001, 1],
      [lines.slice(0, MIB / 2 + 1), MIB / 2 + 1, 1 / 8],
      [lines.slice(0, 5 * MIB + 1), 5 * MIB + 1, 1 / 8],
      [lines.slice(0, 10 * MIB + 7), 700_001, 1 / 8],
      // More than one part, compressed, too.
      [noise(5 * MIB + 99_999), 2 * MIB, 1.01],
    ] as const) {
      const { length } = content
      const compressed = async (bytes: Uint8Array, by: number) => {
        const writer = new ObjectWriter(env.FILES, unique('compressed'), COMPRESSED)
        for (let at = 0; at < length; at += by) {
          writer.add(bytes.slice(at, at + by))
          await writer.flush()
        }
        return { writer, done: await writer.finish() }
      }
      const { writer, done } = await compressed(content, piece)
      const otherwise = await compressed(content, 333_333)
      expect([length, done.size, done.contentHash]).toEqual([length, length, otherwise.done.contentHash])
      const other = content.slice()
      other[length - 9] = (other[length - 9] ?? 0) ^ 1
      const changed = await compressed(other, piece)
      expect(changed.done.contentHash).not.toBe(done.contentHash)
      await Promise.all([otherwise.writer.discard(), changed.writer.discard()])
      expect(done.objectKey.endsWith(compressedKey(''))).toBe(length > MIB / 2)
      expect((await env.FILES.head(done.objectKey))?.size).toBeLessThanOrEqual(length * most)
      const source = r2ByteSource(env.FILES, { ...done, fileName: 'a' })
      const from = Math.max(0, length - 2 * MIB - 5)
      expect(same(await source.read(from, length - 5 - from), content.slice(from, -5))).toBe(true)
      const streamed = new Uint8Array(await new Response(source.stream(7)).arrayBuffer())
      expect(same(streamed, content.subarray(7))).toBe(true)
      await writer.discard()
      expect(await env.FILES.head(done.objectKey)).toBeNull()
    }
  })

  it('leaves nothing when it is dropped, whether finished or not', async () => {
    const { writer, done } = await written(bytes(6 * MIB), MIB)
    await writer.discard()
    expect(await env.FILES.head(done.objectKey)).toBeNull()
    const half = new ObjectWriter(env.FILES, unique('half'), UNBOUNDED)
    half.add(bytes(6 * MIB))
    await half.flush()
    await half.discard()
    expect(await env.FILES.head(half.objectKey)).toBeNull()
  })
})
