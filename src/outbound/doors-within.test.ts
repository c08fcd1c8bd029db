import { expect, it } from 'vitest'
import { DoorError, type Doors } from './doors'
import { doorsWithin } from './doors-within'

it('waits behind no door for longer than is said, and no longer than a call wants', async () => {
  const waits: (number | undefined)[] = []
  const hears = ({ deadlineMs }: { deadlineMs?: number }): Promise<never> => {
    waits.push(deadlineMs)
    return Promise.reject(new DoorError('down'))
  }
  const doors: Doors = doorsWithin(
    { http: hears, operator: hears, connect: hears, pool: () => null },
    { answerMs: 30_000, connectMs: 8_000 },
  )
  const url = 'https://example.com'
  await Promise.allSettled([
    ...[doors.http({ url }), doors.http({ url, deadlineMs: 60_000 }), doors.http({ url, deadlineMs: 500 })],
    ...[doors.operator({ origin: 'api', path: '/' }), doors.connect({ host: 'db', port: 1, tls: 'direct' })],
  ])
  expect(waits).toEqual([30_000, 30_000, 500, 30_000, 8_000])
})
