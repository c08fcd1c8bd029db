import { describe, expect, it } from 'vitest'
import { createQuestionQueue } from './question-queue'

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function scene(atOnce: number) {
  const inQueue = createQuestionQueue(atOnce)
  const begun: string[] = []
  const open = new Map<string, PromiseWithResolvers<string>>()
  const ask = (name: string, signal = new AbortController().signal): Promise<string> =>
    inQueue(signal, () => {
      begun.push(name)
      const answer = Promise.withResolvers<string>()
      open.set(name, answer)
      return answer.promise
    })
  return {
    ask,
    begun,
    answer: (name: string) => open.get(name)?.resolve(name),
    fail: (name: string) => open.get(name)?.reject(new Error(name)),
  }
}

describe('questions of a page', () => {
  it('go out a few at a time, in the order of the page', async () => {
    const { ask, begun, answer } = scene(2)
    const all = ['a', 'b', 'c', 'd'].map((name) => ask(name))
    await settle()
    expect(begun).toEqual(['a', 'b'])
    answer('b')
    await settle()
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) answer(name)
    await settle()
    answer('d')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('make room when one is refused', async () => {
    const { ask, begun, fail } = scene(1)
    const first = ask('a')
    void ask('b')
    await settle()
    fail('a')
    await expect(first).rejects.toThrow('a')
    await settle()
    expect(begun).toEqual(['a', 'b'])
  })

  it('never go out once they have left the screen', async () => {
    const { ask, begun, answer } = scene(1)
    const gone = new AbortController()
    const first = ask('a')
    const left = ask('b', gone.signal)
    const last = ask('c')
    gone.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    await expect(ask('d', gone.signal)).rejects.toMatchObject({ name: 'AbortError' })
    answer('a')
    await first
    await settle()
    expect(begun).toEqual(['a', 'c'])
    answer('c')
    expect(await last).toBe('c')
  })
})
