import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { objectSize, readObject, readObjectBytes } from './compressed-object'
import { deleteObjects, partedKey, partKey } from './object-parts'
import { systemIds } from '../deps'

const [SIZE, PART] = [25, 10]
const content = Uint8Array.from({ length: SIZE }, (_, at) => at)
/** An object in three parts, the last of which is shorter. */
async function stored(): Promise<string> {
  const key = partedKey(systemIds.token(8), { size: SIZE, partBytes: PART })
  for (const n of [1, 2, 3]) await env.FILES.put(partKey(key, n), content.slice((n - 1) * PART, n * PART))
  return key
}

it('reads any range of an object in parts as that of the whole, as a stream and at once', async () => {
  const key = await stored()
  for (let offset = 0; offset < SIZE; offset += 1)
    for (const length of [1, 5, 10, 11, 21, SIZE]) {
      const wanted = [...content.slice(offset, offset + length)]
      expect([...((await readObjectBytes(env.FILES, key, { offset, length })) ?? [])]).toEqual(wanted)
      const streamed = await readObject(env.FILES, key, { offset, length })
      expect(streamed?.size).toBe(SIZE)
      expect([...new Uint8Array(await new Response(streamed?.body).arrayBuffer())]).toEqual(wanted)
    }
  const rest = await readObject(env.FILES, key, { offset: 7 })
  expect((await new Response(rest?.body).arrayBuffer()).byteLength).toBe(SIZE - 7)
  expect(await objectSize(env.FILES, key)).toBe(SIZE)
})

it('fails where a part went, and never answers fewer bytes', async () => {
  const key = await stored()
  await env.FILES.delete(partKey(key, 2))
  expect(await readObjectBytes(env.FILES, key, { offset: 0, length: SIZE })).toBeNull()
  const broken = await readObject(env.FILES, key)
  await expect(new Response(broken?.body).arrayBuffer()).rejects.toThrow('went while it was read')
})

it('deletes every part, beside objects that are one', async () => {
  const [key, single] = [await stored(), systemIds.token(8)]
  await env.FILES.put(single, 'x')
  await deleteObjects(env.FILES, [single, key])
  expect(await objectSize(env.FILES, key)).toBeNull()
  const left = await env.FILES.list({ prefix: key })
  expect([left.objects, await env.FILES.head(single)]).toEqual([[], null])
})

it('keeps what is no longer than a part as one object under its own key', () => {
  expect(partedKey('uploads/x', { size: PART, partBytes: PART })).toBe('uploads/x')
  expect(partKey('uploads/x', 1)).toBe('uploads/x')
})
