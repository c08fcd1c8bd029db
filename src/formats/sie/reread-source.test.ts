import { expect, it } from 'vitest'
import { rereadSource } from './reread-source'
import type { ByteSource } from '../contract'

const PIECE = 64 * 1024

function counted(bytes: Uint8Array): { source: ByteSource; opened: () => number } {
  let opened = 0
  const source: ByteSource = {
    fileName: 'a.se',
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
    stream: (offset = 0) => {
      opened += 1
      let at = offset
      return new ReadableStream({
        pull(controller) {
          if (at >= bytes.length) return controller.close()
          controller.enqueue(bytes.slice(at, at + PIECE))
          at += PIECE
        },
      })
    },
  }
  return { source, opened: () => opened }
}
const textOf = (source: ByteSource, offset?: number): Promise<string> => new Response(source.stream(offset)).text()
const LINES = Array.from({ length: 40_000 }, (_, n) => `#TRANS ${1000 + (n % 90)} {1 ${n % 50}} ${n}.50\r\n`).join('')

it('gives the same bytes each time and fetches them once', async () => {
  for (const text of [LINES, LINES.slice(0, PIECE), 'å', '']) {
    const { source, opened } = counted(new TextEncoder().encode(text))
    const again = rereadSource(source)
    for (let time = 0; time < 3; time += 1) expect((await textOf(again)) === text).toBe(true)
    expect(opened()).toBe(1)
  }
})

it('fetches again what was not read to its end, what is too much to hold, and what is asked for from its middle', async () => {
  const { source, opened } = counted(new TextEncoder().encode(LINES))
  const cut = rereadSource(source)
  const reader = cut.stream().getReader()
  await reader.read()
  await reader.cancel()
  expect((await textOf(cut)) === LINES).toBe(true)
  expect((await textOf(cut)) === LINES).toBe(true)
  expect(opened()).toBe(2)
  const small = rereadSource(source, 1000)
  for (let time = 0; time < 2; time += 1) expect((await textOf(small)) === LINES).toBe(true)
  expect(opened()).toBe(4)
  expect((await textOf(cut, 100)) === LINES.slice(100)).toBe(true)
  expect(opened()).toBe(5)
})
