import { expect, it } from 'vitest'
import { RecentlyRead } from './recently-read'

it('reads again what was not asked for longest, once there is no room for all', () => {
  const kept = new RecentlyRead<string>(10, (text) => text.length)
  const read: string[] = []
  const ask = (id: string, length = 4): string =>
    kept.read(id, () => {
      read.push(id)
      return id.repeat(length)
    })
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) expect(ask(id)).toBe(id.repeat(4))
  expect(read).toEqual(['a', 'b', 'c', 'b'])
  // What has no room at all is answered, and takes that of others while nothing else is asked for.
  expect([ask('d', 40), ask('d', 40), ask('a')]).toEqual(['d'.repeat(40), 'd'.repeat(40), 'aaaa'])
  expect(read).toEqual(['a', 'b', 'c', 'b', 'd', 'a'])
  expect(ask('d', 40)).toHaveLength(40)
  expect(read.at(-1)).toBe('d')
  kept.clear()
  expect(['a', 'b', 'a'].map((id) => ask(id))).toEqual(['aaaa', 'bbbb', 'aaaa'])
  expect(read.slice(-2)).toEqual(['a', 'b'])
})

it('keeps nothing of what could not be read', () => {
  const kept = new RecentlyRead<string>(10, (text) => text.length)
  const fail = (): string => {
    throw new Error('damaged')
  }
  expect(() => kept.read('a', fail)).toThrow('damaged')
  expect(kept.read('a', () => 'a')).toBe('a')
  expect(kept.read('a', fail)).toBe('a')
})
