import { expect, it } from 'vitest'
import { byChange, cursorAfter, planBucketPass } from './bucket-pass'
import type { BucketObject } from './object-list'
import type { Cursor } from '../contract'

const object = (key: string, day: number): BucketObject => ({
  ...{ key, size: 1 },
  modifiedAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
})

/** One sync of a bucket: which files it reads, and whether these take the place of all rows. */
function sync(objects: BucketObject[], from: Cursor | null) {
  const read: string[] = []
  let [cursor, reloads] = [from, false]
  for (;;) {
    const pass = planBucketPass(objects.toSorted(byChange), cursor)
    const [next] = pass.left
    if (!next) return { read, reloads, cursor }
    read.push(next.key)
    reloads ||= pass.reloads
    cursor = cursorAfter(pass, next)
    if (pass.left.length === 1) return { read, reloads, cursor }
  }
}

const FIRST = [object('a.csv', 1), object('b.csv', 2)]
const { cursor: FIRST_READ } = sync(FIRST, null)

it.each([
  { what: 'nothing new', now: FIRST, read: [], reloads: false },
  { what: 'a new file', now: [...FIRST, object('c.csv', 3)], read: ['c.csv'], reloads: false },
  { what: 'a changed file', now: [object('a.csv', 4), object('b.csv', 2)], read: ['b.csv', 'a.csv'], reloads: true },
  {
    what: 'a changed and a new file',
    now: [object('a.csv', 4), object('b.csv', 2), object('c.csv', 3)],
    ...{ read: ['b.csv', 'c.csv', 'a.csv'], reloads: true },
  },
  { what: 'a file that is gone', now: [object('b.csv', 2)], read: [], reloads: false },
  { what: 'one gone and one new', now: [object('b.csv', 2), object('c.csv', 3)], read: ['c.csv'], reloads: false },
])('reads what it must after $what', ({ now, read, reloads }) => {
  expect(sync(now, FIRST_READ)).toMatchObject({ read, reloads })
})

it('leaves a file that changes amid a pass to the next one, which reads all files again', () => {
  const pass = planBucketPass(FIRST, null)
  const cursor = cursorAfter(pass, object('a.csv', 1))
  const changed = [object('b.csv', 2), object('a.csv', 3)]
  const rest = sync(changed, cursor)
  expect(rest).toMatchObject({ read: ['b.csv'], reloads: false })
  expect(sync(changed, rest.cursor)).toMatchObject({ read: ['b.csv', 'a.csv'], reloads: true })
})

it('tells a changed file among more than a cursor can name, and stays small', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => object(`${String(at).padStart(4, '0')}.csv`, 1))
  const { cursor } = sync(many, null)
  expect(JSON.stringify(cursor).length).toBeLessThan(8_000)
  const [first = object('', 1), ...rest] = many
  expect(sync([...many, object('new.csv', 2)], cursor)).toMatchObject({ read: ['new.csv'], reloads: false })
  expect(sync([...rest, { ...first, modifiedAt: object('', 2).modifiedAt }], cursor).reloads).toBe(true)
  const known = sync(many.slice(0, 900), null).cursor
  expect(JSON.stringify(known).length).toBeLessThan(8_000)
})
