import { expect, it } from 'vitest'
import { withRetry, isObjectUnavailable } from './object-fault'

const fault = (flags: { retryable?: boolean; overloaded?: boolean }, message = 'lost'): Error =>
  Object.assign(new Error(message), flags)

/** An object that fails in these ways and then answers, and what it was asked. */
async function asked(faults: Error[]) {
  const waits: number[] = []
  let calls = 0
  const ask = () => {
    const next = faults[calls++]
    return next ? Promise.reject(next) : Promise.resolve('answer')
  }
  const pause = { wait: (ms: number) => Promise.resolve(void waits.push(ms)), random: () => 0.5 }
  const answer = await withRetry(ask, pause).catch((error: unknown) => String(error))
  return { answer, calls, waits }
}

it('asks an object that is moving again, three times at most, each time later (STO-2)', async () => {
  const moving = fault({ retryable: true })
  expect(await asked([moving, moving])).toEqual({ answer: 'answer', calls: 3, waits: [100, 200] })
  expect(await asked([moving, moving, moving])).toEqual({ answer: 'Error: lost', calls: 3, waits: [100, 200] })
})

it.each([
  ['has too much to do', fault({ retryable: true, overloaded: true })],
  ['used up its memory', fault({ retryable: true }, 'Durable Object’s isolate exceeded its memory limit')],
  ['is broken', fault({})],
])('asks an object that %s once', async (_what, error) => {
  expect((await asked([error])).calls).toBe(1)
})

it('knows an object that is away from one that is broken', () => {
  const flags = [{ retryable: true }, { overloaded: true }, {}, { retryable: false }]
  expect(flags.map((each) => isObjectUnavailable(fault(each)))).toEqual([true, true, false, false])
  expect(isObjectUnavailable('lost')).toBe(false)
})
