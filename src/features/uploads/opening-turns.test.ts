import { expect, it } from 'vitest'
import { OpeningTurns, type OpeningLane, type OpeningTicket } from './opening-turns'

function turnsAt(lane: OpeningLane = 'wide') {
  const turns = new OpeningTurns()
  const join = (workspaceId: string, now = 0): OpeningTicket => {
    const ticket = turns.join(workspaceId, lane, now)
    if (!ticket) throw new Error('too many wait')
    return ticket
  }
  return { turns, join }
}

it('goes by arrival within a workspace, and to the one whose last turn is longest ago among them', () => {
  const { turns, join } = turnsAt()
  const hostile = Array.from({ length: 8 }, () => join('hostile'))
  const names = new Map(hostile.map((ticket, at) => [ticket, `h${at}`]))
  const order: string[] = []
  const step = (): void => {
    const next = [...names.keys()].find((ticket) => turns.acquire(ticket, 0))
    if (!next) throw new Error('nobody is next')
    order.push(names.get(next) ?? '')
    names.delete(next)
    turns.leave(next)
  }
  step()
  for (const who of ['anna', 'bo']) names.set(join(who), who)
  step()
  step()
  names.set(join('anna'), 'anna again')
  while (names.size > 0) step()
  expect(order.slice(0, 5)).toEqual(['h0', 'anna', 'bo', 'h1', 'anna again'])
  expect(order.slice(5)).toEqual(['h2', 'h3', 'h4', 'h5', 'h6', 'h7'])
})

it('opens one file of a workspace at a time, two small ones of several, and small ones beside a wide one', () => {
  const turns = new OpeningTurns()
  const take = (workspaceId: string, lane: OpeningLane) => {
    const ticket = turns.join(workspaceId, lane, 0)
    return ticket !== null && turns.acquire(ticket, 0)
  }
  expect([take('a', 'wide'), take('a', 'small'), take('b', 'wide')]).toEqual([true, false, false])
  expect([take('c', 'small'), take('d', 'small'), take('e', 'small')]).toEqual([true, true, false])
})

it('gives back the turns of those who left and of the dead, and passes over who no longer waits', () => {
  const { turns, join } = turnsAt()
  const [first, gone, last] = [join('a'), join('b'), join('c')]
  expect(turns.acquire(first, 0)).toBe(true)
  turns.renew(first, 15_000)
  expect(turns.isNext(gone, 15_000)).toBe(false)
  expect(turns.isNext(last, 34_999), 'the first was heard of at 15 s').toBe(false)
  expect(turns.acquire(last, 35_000), 'the second was not heard of for 20 s').toBe(true)
  turns.renew(first, 35_000)
  turns.leave(last)
  expect(turns.acquire(gone, 35_001), 'who comes back has its place again').toBe(true)
})

it('lets a workspace that waited for a minute come before those that arrive meanwhile', () => {
  const { turns, join } = turnsAt()
  const before = join('a')
  expect(turns.acquire(before, 0)).toBe(true)
  turns.leave(before)
  const waits = join('a')
  const others = join('b', 59_000)
  expect([turns.isNext(waits, 59_000), turns.isNext(others, 59_000)]).toEqual([false, true])
  expect([turns.isNext(waits, 60_000), turns.isNext(others, 60_000)]).toEqual([true, false])
})

it('lets twenty of a workspace wait, and is free again for those after they left', () => {
  const { turns, join } = turnsAt()
  const all = Array.from({ length: 20 }, () => join('a'))
  expect(turns.join('a', 'small', 0)).toBeNull()
  expect(turns.join('b', 'small', 0)).not.toBeNull()
  all.forEach((ticket) => turns.leave(ticket))
  expect(turns.join('a', 'small', 0)).not.toBeNull()
})

it('asks the opening that wrote more to pause for the others, and lets nobody begin behind them', () => {
  const { turns, join } = turnsAt('small')
  const [long, short] = [join('a'), join('b')]
  turns.acquire(long, 0)
  expect(turns.wrote(long, 1_000), 'nobody else is at work').toBe(false)
  turns.acquire(short, 0)
  expect([turns.wrote(short, 10), turns.wrote(long, 10)], 'both go on from where the first was').toEqual([true, false])
  expect([turns.wrote(long, 10), turns.wrote(short, 5)]).toEqual([true, false])
  turns.leave(short)
  expect(turns.wrote(long, 1_000)).toBe(false)
})
