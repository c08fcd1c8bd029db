import { describe, expect, it } from 'vitest'
import { readBodyBytes } from './validate'

const post = (body: ReadableStream<Uint8Array>) => new Request('https://insikt.test/', { method: 'POST', body })

describe('a body', () => {
  it('that does not end is given up at its deadline', async () => {
    const held = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode('{"a"')) })
    await expect(readBodyBytes(post(held), { maxBytes: 100, what: 'body', deadlineMs: 20 })).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('in time is read as it came', async () => {
    const whole = new Blob(['{"a":1}']).stream()
    const bytes = await readBodyBytes(post(whole), { maxBytes: 100, what: 'body', deadlineMs: 5000 })
    expect(new TextDecoder().decode(bytes)).toBe('{"a":1}')
  })
})
