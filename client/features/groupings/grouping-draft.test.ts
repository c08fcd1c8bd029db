import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit, placeOfPeriod, type GroupingDraft, type GroupingEdit } from './grouping-draft'
import { createGroupLookup, matchableText } from '../../../src/shared/groupings/matching'
import { orderedGroups, groupPaths } from '../../../src/shared/groupings/groupings'

const idOf = (n: number): string => `gpm_${String(n).padStart(20, '0')}`
const START: GroupingDraft = {
  name: 'Regions',
  description: '',
  fallback: { kind: 'exclude' },
  eras: [{ from: null, groups: [] }],
}
const steps = (...all: GroupingEdit[]): GroupingDraft => all.reduce(applyEdit, START)
const added = (n: number, parent: number | null = null, values: string[] = []): GroupingEdit => ({
  ...{ kind: 'addGroup', at: 0, id: idOf(n), name: `G${n}`, values },
  parentId: parent === null ? null : idOf(parent),
})
const namesOf = ({ eras }: GroupingDraft): string[] => orderedGroups(eras[0]?.groups ?? []).map(({ name }) => name)

describe('steps of a grouping', () => {
  it('keep groups of a removed one, in its place', () => {
    const draft = steps(added(1), added(2, 1), added(3, 2), { kind: 'removeGroup', at: 0, id: idOf(1) })
    expect(namesOf(draft)).toEqual(['G2', 'G3'])
    expect(groupPaths(draft.eras[0]?.groups ?? []).get(idOf(3))).toHaveLength(2)
  })

  it('move a group past the one beside it, and nowhere past the last', () => {
    const down: GroupingEdit = { kind: 'shift', at: 0, id: idOf(1), by: 1 }
    expect(namesOf(steps(added(1), added(2), added(3), down))).toEqual(['G2', 'G1', 'G3'])
    expect(namesOf(steps(added(1), added(2), down, down, down))).toEqual(['G2', 'G1'])
  })

  it('begin a period with the groups that were in force, and let the first reach back when one goes', () => {
    const draft = steps(added(1), { kind: 'addEra', from: '2025-01-01' }, { kind: 'addEra', from: '2024-01-01' })
    expect(draft.eras.map(({ from, groups }) => [from, groups.length])).toEqual([
      [null, 1],
      ['2024-01-01', 1],
      ['2025-01-01', 1],
    ])
    expect(['2023-01-01', '2024-06-01', '2026-01-01'].map((from) => placeOfPeriod(draft.eras, from))).toEqual([1, 2, 3])
    expect(applyEdit(draft, { kind: 'removeEra', at: 0 }).eras.map(({ from }) => from)).toEqual([null, '2025-01-01'])
  })

  it('leave every value in one group at most, the one it was moved to last', () => {
    const value = fc.constantFrom('Sweden', 'sweden ', 'Norway', 'Denmark', 'Finland')
    const move = fc.record({
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
      to: fc.option(fc.integer({ min: 1, max: 3 })),
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
        const draft = steps(
          ...[1, 2, 3].map((n) => added(n)),
          ...moves.map(({ values, to }): GroupingEdit => ({
            kind: 'move',
            at: 0,
            values,
            to: to === null ? null : idOf(to),
          })),
        )
        const era = draft.eras[0] ?? { from: null, groups: [] }
        const { groupOf } = createGroupLookup(era)
        for (const text of ['Sweden', 'Norway', 'Denmark', 'Finland']) {
          const last = moves.findLast(({ values }) =>
            values.some((each) => each.trim().toLowerCase() === text.toLowerCase()),
          )
          const expected = last?.to ?? null
          expect(groupOf(matchableText(text))).toBe(expected === null ? null : idOf(expected))
        }
      }),
    )
  })
})
