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
    turns.leave(next, 0)
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

it('makes a small turn a wide one while no other has that, and frees the place it had', () => {
  const turns = new OpeningTurns()
  const take = (workspaceId: string, lane: OpeningLane): OpeningTicket | null => {
    const ticket = turns.join(workspaceId, lane, 0)
    return ticket !== null && turns.acquire(ticket, 0) ? ticket : null
  }
  const [first, second] = [take('a', 'small'), take('b', 'small')]
  if (!first || !second) throw new Error('there is room')
  expect([turns.widen(first), turns.widen(second)]).toEqual([true, false])
  expect([take('c', 'small') !== null, take('d', 'small'), take('e', 'wide')]).toEqual([true, null, null])
  turns.leave(first, 0)
  expect(turns.widen(second)).toBe(true)
})

it('gives back the turns of those who left and of the dead, and passes over who no longer waits', () => {
  const { turns, join } = turnsAt()
  const [first, gone, last] = [join('a'), join('b'), join('c')]
  expect(turns.acquire(first, 0)).toBe(true)
  turns.worked(first, 0, 15_000)
  expect(turns.isNext(gone, 15_000)).toBe(false)
  expect(turns.isNext(last, 34_999), 'the first was heard of at 15 s').toBe(false)
  expect(turns.acquire(last, 35_000), 'the second was not heard of for 20 s').toBe(true)
  turns.worked(first, 0, 35_000)
  turns.leave(last, 0)
  expect(turns.acquire(gone, 35_001), 'who comes back has its place again').toBe(true)
})

it('forgets the last turn of a workspace a minute after it ended, and never while another of its files waits', () => {
  const { turns, join } = turnsAt()
  const take = (ticket: OpeningTicket, from: number, to: number): void => {
    expect(turns.acquire(ticket, from)).toBe(true)
    for (let now = from; now < to; now += 1_000) turns.worked(ticket, 0, now)
    turns.leave(ticket, to)
  }
  take(join('a'), 0, 30_000)
  const isFirst = (again: string, now: number): boolean => {
    const tickets = [join(again, now), join('newcomer', now)]
    const [first] = tickets.map((ticket) => turns.isNext(ticket, now))
    for (const ticket of tickets) turns.leave(ticket, now)
    return first === true
  }
  expect([isFirst('a', 89_999), isFirst('a', 90_000)]).toEqual([false, true])
  take(join('a', 100_000), 100_000, 101_000)
  const waits = join('a', 101_000)
  for (let now = 101_000; now <= 200_000; now += 1_000) turns.isNext(waits, now)
  const newcomer = join('b', 200_000)
  expect([turns.isNext(waits, 200_000), turns.isNext(newcomer, 200_000)]).toEqual([false, true])
})

it('lets a workspace of one file be second after twenty files of another, however long each of them takes', () => {
  const { turns, join } = turnsAt()
  const all = Array.from({ length: 20 }, () => join('hostile'))
  const order: string[] = []
  let held: { ticket: OpeningTicket; until: number } | null = null
  for (let now = 0; now <= 300_000; now += 1_000) {
    if (now === 1_000) all.push(join('victim', now))
    if (held && now >= held.until) {
      turns.leave(held.ticket, now)
      held = null
    } else if (held) turns.worked(held.ticket, 0, now)
    const next = all.filter((ticket) => turns.isNext(ticket, now))
    expect(next.length).toBeLessThanOrEqual(1)
    for (const ticket of next) {
      expect(turns.acquire(ticket, now)).toBe(true)
      all.splice(all.indexOf(ticket), 1)
      order.push(ticket.workspaceId)
      held = { ticket, until: now + 70_000 }
    }
  }
  expect(order.slice(0, 4)).toEqual(['hostile', 'victim', 'hostile', 'hostile'])
})

it('lets twenty of a workspace wait, and is free again for those after they left', () => {
  const { turns, join } = turnsAt()
  const all = Array.from({ length: 20 }, () => join('a'))
  expect(turns.join('a', 'small', 0)).toBeNull()
  expect(turns.join('b', 'small', 0)).not.toBeNull()
  all.forEach((ticket) => turns.leave(ticket, 0))
  expect(turns.join('a', 'small', 0)).not.toBeNull()
})

const MB = 1024 * 1024

it('looks up the files of a workspace one after the other, and the next when no other waits for its turn', () => {
  const { turns, join } = turnsAt()
  const arrive = (workspaceId: string) => {
    const arrival = turns.arrive(workspaceId, 0)
    if (!arrival) throw new Error('there is room')
    return arrival
  }
  const [first, second, other] = [arrive('a'), arrive('a'), arrive('b')]
  const next = (): boolean[] => [first, second, other].map((one) => turns.isLookupNext(one, 0))
  expect(next()).toEqual([true, false, true])
  const ticket = join('a')
  turns.depart(first)
  expect(turns.isLookupNext(second, 0), 'the first waits for its turn').toBe(false)
  turns.acquire(ticket, 0)
  expect(turns.isLookupNext(second, 0)).toBe(true)
  const all = Array.from({ length: 20 }, () => turns.arrive('c', 0))
  expect([all.includes(null), turns.arrive('c', 0), turns.arrive('d', 0) === null]).toEqual([false, null, false])
})

it('looks up the next file of a workspace after those before it were cut off, whoever else comes', () => {
  const { turns, join } = turnsAt()
  join('a')
  turns.arrive('a', 0)
  const next = turns.arrive('a', 0)
  if (!next) throw new Error('there is room')
  expect(turns.isLookupNext(next, 10)).toBe(false)
  for (let at = 1000; at < 20_000; at += 1000) expect(turns.isLookupNext(next, at)).toBe(false)
  expect(turns.isLookupNext(next, 20_000)).toBe(true)
})

it('pauses for no file that waits to be looked up: others of its workspace come first, and those wait or are at work', () => {
  const turns = new OpeningTurns()
  const [long, small] = [turns.join('hostile', 'wide', 0), turns.join('honest', 'small', 0)]
  if (!long || !small) throw new Error('there is room')
  expect([turns.acquire(long, 0), turns.acquire(small, 0)]).toEqual([true, true])
  turns.join('third', 'wide', 0)
  turns.arrive('third', 0)
  turns.worked(long, MB, 0)
  expect(turns.worked(small, MB, 0), 'the wide turn of the third is taken').toBe(false)
  turns.arrive('hostile', 0)
  expect(turns.worked(small, MB / 2, 0), 'one of its workspace is at work').toBe(false)
  turns.arrive('fourth', 0)
  expect(turns.worked(small, 0, 0)).toBe(true)
})

it('keeps no account of an opening that was taken for gone long ago', () => {
  const { turns, join } = turnsAt('small')
  const lost = join('lost')
  turns.acquire(lost, 0)
  const other = turns.join('other', 'small', 100_000)
  if (!other) throw new Error('there is room')
  turns.acquire(other, 100_000)
  turns.worked(lost, 50 * MB, 170_000)
  turns.leave(lost, 170_000)
  const late = turns.join('late', 'small', 171_000)
  const again = turns.join('lost', 'small', 171_000)
  if (!late || !again) throw new Error('there is room')
  expect([turns.acquire(late, 171_000), turns.acquire(again, 171_000)]).toEqual([true, true])
  expect(turns.worked(again, 0, 171_000)).toBe(false)
})

it('asks the opening that did more to pause until the others have caught up, and gives who comes anew a start', () => {
  const { turns, join } = turnsAt('small')
  const long = join('a')
  turns.acquire(long, 0)
  expect(turns.worked(long, 100 * MB, 0), 'nobody else is at work').toBe(false)
  const short = join('b')
  turns.acquire(short, 0)
  expect([turns.worked(long, 1, 0), turns.worked(short, MB, 0)]).toEqual([true, false])
  expect(turns.isToPause(long, 0), 'a byte is left').toBe(true)
  turns.worked(short, 2, 0)
  expect(turns.isToPause(long, 0), 'it has caught up').toBe(false)
  expect([turns.worked(short, MB, 0), turns.worked(short, 1, 0)], 'a lead that is small counts for nothing').toEqual([
    false,
    true,
  ])
  turns.leave(short, 0)
  expect(turns.worked(long, 10 * MB, 0)).toBe(false)
})

it('remembers what the files of a workspace did before: the next of them does not begin anew', () => {
  const { turns, join } = turnsAt('small')
  const open = (workspaceId: string): OpeningTicket => {
    const ticket = join(workspaceId)
    expect(turns.acquire(ticket, 0)).toBe(true)
    return ticket
  }
  const long = open('a')
  for (let n = 0; n < 4; n++) {
    const hostile = open('b')
    turns.worked(hostile, MB, 0)
    turns.leave(hostile, 0)
  }
  expect(turns.worked(long, 1, 0)).toBe(false)
  expect(turns.worked(open('b'), 0, 0), 'each file counts for more than it wrote').toBe(true)
})

it('gives no start to the next file of a workspace that is between two of many when another one comes', () => {
  const { turns, join } = turnsAt('small')
  const open = (workspaceId: string): OpeningTicket => {
    const ticket = join(workspaceId)
    expect(turns.acquire(ticket, 0)).toBe(true)
    return ticket
  }
  for (let n = 0; n < 3; n++) {
    const hostile = open('hostile')
    turns.worked(hostile, 10 * MB, 0)
    turns.leave(hostile, 0)
  }
  const [honest, next] = [open('honest'), open('hostile')]
  expect([turns.worked(honest, 0, 0), turns.worked(next, 0, 0)]).toEqual([false, true])
  turns.worked(honest, MB + 2, 0)
  expect(turns.isToPause(next, 0), 'what it owes is bound').toBe(false)
})

it('asks an opening to pause for who is about to begin elsewhere, and not for who waits for its own turn', () => {
  const turns = new OpeningTurns()
  const long = turns.join('hostile', 'wide', 0)
  if (!long) throw new Error('there is room')
  turns.acquire(long, 0)
  const own = turns.arrive('hostile', 1)
  expect(turns.worked(long, 10, 1), 'its own workspace waits anyway').toBe(false)
  if (own) turns.depart(own)
  const arrival = turns.arrive('honest', 2)
  expect(turns.worked(long, 10, 2)).toBe(true)
  expect(turns.isToPause(long, 2)).toBe(true)
  const small = turns.join('honest', 'small', 3)
  if (arrival) turns.depart(arrival)
  expect(turns.worked(long, 10, 3), 'there is room for a small one').toBe(true)
  if (small) turns.leave(small, 4)
  turns.join('honest', 'wide', 5)
  expect(turns.worked(long, 10, 5), 'the wide turn is its own').toBe(false)
})

it('pauses for nobody who did more and is about to begin: the next file of a workspace that opens many', () => {
  const { turns, join } = turnsAt('small')
  const hostile = join('hostile')
  turns.acquire(hostile, 0)
  turns.worked(hostile, 5 * MB, 0)
  turns.leave(hostile, 0)
  const honest = join('honest')
  turns.acquire(honest, 0)
  const next = join('hostile')
  expect(turns.worked(honest, MB / 2, 0), 'that one waits').toBe(false)
  turns.leave(next, 0)
  turns.arrive('anew', 0)
  expect(turns.worked(honest, 0, 0)).toBe(true)
})

it('pauses for nobody whose own workspace is at work already: they cannot begin yet', () => {
  const turns = new OpeningTurns()
  const [long, small] = [turns.join('hostile', 'wide', 0), turns.join('honest', 'small', 0)]
  if (!long || !small) throw new Error('there is room')
  expect([turns.acquire(long, 0), turns.acquire(small, 0), turns.worked(small, 3 * MB, 0)]).toEqual([true, true, true])
  turns.worked(long, 2.5 * MB, 0)
  const second = turns.join('honest', 'small', 301)
  expect(turns.worked(long, 10, 301), 'its own workspace comes first').toBe(false)
  turns.leave(small, 302)
  expect(turns.worked(long, 10, 302)).toBe(true)
  if (second) turns.leave(second, 303)
  expect(turns.worked(long, 10, 303)).toBe(false)
})

it('forgets who arrived, or waited, and was cut off', () => {
  const { turns, join } = turnsAt()
  const long = join('hostile')
  turns.acquire(long, 0)
  turns.arrive('honest', 1)
  expect([turns.worked(long, 10, 20_000), turns.worked(long, 10, 30_000)]).toEqual([true, false])
  turns.join('honest', 'small', 30_000)
  expect([turns.worked(long, 10, 31_999), turns.worked(long, 10, 32_000)]).toEqual([true, false])
})

it('serves the file of who comes before the next one of a workspace that was served since, though for no longer than 250 ms', () => {
  const { turns, join } = turnsAt('small')
  const [first, second] = [join('hostile', 0), join('hostile', 0)]
  expect(turns.acquire(first, 1)).toBe(true)
  const honest = join('honest', 5)
  expect(turns.acquire(honest, 6)).toBe(true)
  turns.leave(first, 10)
  expect([turns.isNext(second, 11), turns.worked(honest, 5 * MB, 11)], 'nor does that one pause for it').toEqual([
    false,
    false,
  ])
  expect(turns.isAlone(honest, 12), 'who waits for it needs no turn').toBe(true)
  expect([turns.isNext(second, 255), turns.isNext(second, 261)]).toEqual([false, true])
  turns.leave(honest, 262)
  expect(turns.acquire(second, 262)).toBe(true)
})

it('goes on with the next file at once when the other one is done, was served as lately, or has been at work for long', () => {
  const { turns, join } = turnsAt('small')
  const files = Array.from({ length: 4 }, () => join('many', 0))
  const [first, second, third, fourth] = files
  if (!first || !second || !third || !fourth) throw new Error('there is room')
  turns.acquire(first, 1)
  const [one, two] = [join('other', 5), join('other', 5)]
  turns.acquire(one, 6)
  turns.leave(first, 10)
  expect(turns.isNext(second, 11)).toBe(false)
  turns.leave(one, 20)
  expect(turns.acquire(second, 21), 'nobody else is at work').toBe(true)
  expect(turns.acquire(two, 22), 'both were served since they came').toBe(true)
  turns.leave(second, 30)
  turns.leave(two, 30)
  const long = join('long', 31)
  turns.acquire(long, 32)
  turns.acquire(third, 33)
  turns.worked(long, 0, 200)
  expect(turns.isNext(third, 200)).toBe(false)
  turns.worked(long, 0, 282)
  expect(turns.acquire(third, 282)).toBe(true)
})

it('counts nobody as beside an opening that waits for its workspace', () => {
  const { turns, join } = turnsAt('small')
  const [first] = [join('a'), join('a')]
  turns.acquire(first, 1)
  expect(turns.isAlone(first, 2)).toBe(true)
  turns.arrive('b', 3)
  expect(turns.isAlone(first, 3)).toBe(false)
})

it(
  'answers many who wait and ask again and again without going through all of them for each',
  { timeout: 30_000 },
  () => {
    const { turns, join } = turnsAt('small')
    const workspaces = Array.from({ length: 60 }, (_, n) => `w${n}`)
    for (const name of workspaces) {
      const served = join(name)
      turns.acquire(served, 1)
      turns.leave(served, 2)
    }
    const waiting = workspaces.flatMap((name) => Array.from({ length: 20 }, () => join(name, 3)))
    expect(waiting.filter((ticket) => turns.isNext(ticket, 4))).toEqual(waiting.slice(0, 1))
  },
)
