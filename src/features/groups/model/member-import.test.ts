import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planMemberImport, parseMemberList, type ImportSnapshot } from './member-import'
import { nameKey } from '../../../shared/field-schemas'

const LETTERS = ['a', 'B', 'å', 'é', '1', ' ', ';', ',', '|', '"', "'", '.', '-', '#', '\t']
const name = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join('').trim())
  .filter((text) => text !== '')
const email = fc.constantFrom('anna@firm.se', 'bo.ek@firm.se', 'Disa@Firm.SE', 'nobody@firm.se')
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

describe('reading a list', () => {
  it('gives back every group and address as it was, whatever separates them, when both are quoted', () => {
    const lists = fc.array(fc.tuple(name, email), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lists, fc.constantFrom(';', ',', '\t', '|'), fc.constantFrom('\n', '\r\n'), (list, mark, end) => {
        const csv = list.map((cells) => cells.map(quoted).join(mark)).join(end)
        expect(parseMemberList(csv).map(({ group, email: read }) => [group, read])).toEqual(list)
      }),
      { numRuns: 300 },
    )
  })

  it('takes a line of headings, a line that names the separator and a byte order mark for what they are', () => {
    const [line] = parseMemberList('\ufeffsep=|\r\nGroup|E-mail\r\nSales|anna@firm.se\r\n')
    expect(line).toEqual({ line: 3, group: 'Sales', email: 'anna@firm.se' })
    expect(parseMemberList('Sales;anna@firm.se')).toHaveLength(1)
  })

  it.each([
    'Email;Name;Group\nanna@firm.se;Anna;Sales',
    'Grupp,Namn,E-post\nSales,Anna,anna@firm.se',
    'Name;Email;Team\nAnna;anna@firm.se;Sales',
    'Email;Department\nanna@firm.se;Sales',
  ])('reads columns in the order of their headings: %j', (csv) => {
    expect(parseMemberList(csv)).toEqual([{ line: 2, group: 'Sales', email: 'anna@firm.se' }])
  })
})

describe('judging a list', () => {
  const people = new Map([
    ['anna@firm.se', 'usr_a'],
    ['bo.ek@firm.se', 'usr_b'],
    ['disa@firm.se', 'usr_c'],
  ])
  const lists = fc.array(fc.tuple(fc.constantFrom('North', 'NORTH ', 'South', 'East'), email), { maxLength: 20 })
  const state = (): ImportSnapshot => ({
    groups: new Map([['north', { id: 'grp_n', name: 'North', byHand: 0 }]]),
    people,
    memberships: new Set(),
  })

  it('adds each person to each group once, and nobody when the same list is judged again after it', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const listed = list.map(([group, address], i) => ({ line: i + 1, group: group.trim(), email: address }))
        const first = planMemberImport(listed, state())
        const known = listed.filter((line) => people.has(line.email.toLowerCase()))
        const wanted = new Set(known.map((line) => `${nameKey(line.group)} ${line.email.toLowerCase()}`))
        expect(first.lines.filter(({ outcome }) => outcome === 'added')).toHaveLength(wanted.size)
        expect(first.groups.flatMap(({ userIds }) => userIds)).toHaveLength(wanted.size)
        const groups = new Map(
          first.groups.map(({ key, name: called, id, userIds }) => [
            key,
            { id: id ?? `grp_${key}`, name: called, byHand: userIds.length },
          ]),
        )
        const belonging = first.groups.flatMap(({ key, id, userIds }) =>
          userIds.map((user) => `${id ?? `grp_${key}`} ${user}`),
        )
        const again = planMemberImport(listed, {
          ...state(),
          groups: new Map([...state().groups, ...groups]),
          memberships: new Set(belonging),
        })
        expect(again.groups).toEqual([])
        expect(again.lines.map(({ outcome }) => outcome)).not.toContain('added')
      }),
      { numRuns: 300 },
    )
  })

  it('leaves out who finds no room, and says so', () => {
    const full = state()
    full.groups.set('north', { id: 'grp_n', name: 'North', byHand: 999 })
    const list = ['anna@firm.se', 'bo.ek@firm.se'].map((address, i) => ({ line: i, group: 'North', email: address }))
    expect(planMemberImport(list, full).lines.map(({ outcome }) => outcome)).toEqual(['added', 'too_many'])
  })
})
