import { describe, expect, it } from 'vitest'
import type { GroupNode } from '../../../src/shared/groupings/groupings'
import { groupingDepth, groupOptionsAtLevel } from './grouping-levels'

const group = (id: string, name: string, parentId: string | null = null): GroupNode => ({
  ...{ id, name, parentId, color: null, order: 0, rules: [] },
})
const COSTS = group('gpm_1', 'Costs')
const STAFF = group('gpm_2', 'Staff', 'gpm_1')
const SALES = group('gpm_3', 'Sales')
const THEN = { from: null, groups: [COSTS, SALES] }
const NOW = { from: '2026-01-01', groups: [COSTS, STAFF] }

describe('groups to choose among', () => {
  it('are those that values show as at a level, of every period, with the groups around them', () => {
    const labels = (level?: number) => groupOptionsAtLevel({ eras: [THEN, NOW] }, level).map(({ label }) => label)
    expect(labels(1)).toEqual(['Costs', 'Sales'])
    expect(labels()).toEqual(['Costs', 'Costs › Staff', 'Sales'])
  })

  it('lie as deep as the deepest period', () => {
    expect([
      groupingDepth({ eras: [THEN] }),
      groupingDepth({ eras: [THEN, NOW] }),
      groupingDepth({ eras: [] }),
    ]).toEqual([1, 2, 1])
  })
})
