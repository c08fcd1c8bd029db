import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toRetainInput, formatNameList, overLimitByKind, selectableList, currentlyRetained } from './retained-items'
import type { OverLimitItem, OverLimitSummary } from '../../../src/shared/billing/subscription'

const item = (id: string, stays: boolean): OverLimitItem => ({
  id,
  name: `Name of ${id}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  stays,
})
const NONE: OverLimitSummary = {
  ...{ sources: null, analysts: null, users: null, insights: null, groupings: null, forecasts: null, gates: [] },
}

it('sends what stays already when nobody chooses', () => {
  const freezes = { ...NONE, sources: { max: 1, items: [item('a', true), item('b', false)] } }
  expect(toRetainInput(currentlyRetained(freezes), freezes)).toEqual({
    sources: ['a'],
    members: [],
    insights: [],
    groupings: [],
    forecasts: [],
  })
})

it('never lets somebody who was passed over as an analyst take the place of one who was chosen', () => {
  const people = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 2 })
  fc.assert(
    fc.property(people, fc.nat(7), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (ids, cut, picks) => {
      const items = ids.map((id) => item(id, false))
      const analysts = items.slice(0, 1 + (cut % (ids.length - 1)))
      const freezes = { ...NONE, analysts: { max: 1, items: analysts }, users: { max: 4, items } }
      const choice = {
        sources: [],
        insights: [],
        groupings: [],
        forecasts: [],
        analysts: analysts.map(({ id }) => id).filter((_, at) => picks[at]),
        users: ids.filter((_, at) => !picks[at]),
      }
      const { members } = toRetainInput(choice, freezes)
      const kept = analysts.map(({ id }) => id).filter((id) => members.includes(id))
      expect(kept).toEqual(choice.analysts)
      const offered = selectableList('users', freezes, choice)?.items.map(({ id }) => id) ?? []
      expect(members.every((id) => offered.includes(id))).toBe(true)
    }),
  )
})

it('names what is frozen, kind by kind, and how much room there is', () => {
  const sources = { max: 1, items: [item('a', true), item('b', false), item('c', false)] }
  expect(overLimitByKind({ ...NONE, sources })).toEqual([
    { kind: 'sources', max: 1, count: 3, names: ['Name of b', 'Name of c'] },
  ])
  expect(formatNameList(['A', 'B'])).toBe('A and B')
  expect(formatNameList(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toBe('A, B, C, D, E and 2 more')
  expect(formatNameList(['A'])).toBe('A')
})
