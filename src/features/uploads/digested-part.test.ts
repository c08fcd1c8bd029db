import { expect, it } from 'vitest'
import { storeDigested } from './digested-part'

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < 4; n += 1) yield new Uint8Array(64)
}
const LENGTH = 4 * 64

it('fails with what the pieces failed by, whatever the store says of that', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(64)
    throw new Error('hung up')
  }
  const store = (bytes: ReadableStream): Promise<unknown> => new Response(bytes).bytes()
  await expect(storeDigested(broken(), LENGTH, store)).rejects.toThrow('hung up')
})

it.each([
  ['before it reads', () => Promise.reject(new Error('refused'))],
  [
    'amid what it reads',
    async (bytes: ReadableStream) => {
      const reader = bytes.getReader()
      await reader.read()
      throw new Error('refused')
    },
  ],
])('fails with what the store refused by, %s, and waits for it no longer', async (_when, store) => {
  await expect(storeDigested(pieces(), LENGTH, store)).rejects.toThrow('refused')
})
