import fc from 'fast-check'
import type { NaiveGrouping } from '../naive/groupings'
import { isWindowMeasure } from '../naive/time'
import type { ValidityPeriod, GroupingFallback, GroupNode, GroupingRule } from '../../../src/shared/groupings/groupings'
import type { GroupingReference, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { Column } from '../../../src/shared/data-sources/data-sources'

/** Random groupings over the values of the random datasets, and plans that see columns through them. */
const POOL = ['sweden', 'NORGE', "O'Hara", '日本', 'a%b_', '0', '7', '-3', '12.5', '0.25', 'Yes', 'no', '2025-03-01']
const CUTS = [-400, -20, -7.255, 0, 0.005, 10, 33, 900]
const PATTERNS: GroupingRule[] = [
  { kind: 'startsWith', value: 'S' },
  { kind: 'contains', value: 'R' },
  { kind: 'regex', pattern: '^[a-zå].*a' },
  { kind: 'regex', pattern: '\\d{2}' },
  { kind: 'contains', value: '-' },
  { kind: 'startsWith', value: '2' },
]
const idOf = (n: number): string => `gpm_${String(n).padStart(20, '0')}`
const GROUPS = 5

/** Group by group: its parent, the values it names, its ranges and its patterns. */
const groupsOf = fc
  .record({
    parents: fc.array(fc.nat(GROUPS * 2), { minLength: GROUPS, maxLength: GROUPS }),
    orders: fc.array(fc.nat(9), { minLength: GROUPS, maxLength: GROUPS }),
    members: fc.array(fc.nat(GROUPS * 2), { minLength: POOL.length, maxLength: POOL.length }),
    ranges: fc.array(fc.nat(GROUPS * 2), { minLength: CUTS.length, maxLength: CUTS.length }),
    accounts: fc.option(fc.nat(GROUPS - 1), { freq: 3 }),
    patterns: fc.array(fc.nat(GROUPS * 3), { minLength: PATTERNS.length, maxLength: PATTERNS.length }),
    numeric: fc.boolean(),
  })
  .map(({ parents, orders, members, ranges, accounts, patterns, numeric }) =>
    Array.from({ length: GROUPS }, (_, i): GroupNode => {
      const parent = parents[i] ?? i
      const values = POOL.filter((_value, n) => members[n] === i)
      const spans = CUTS.flatMap((from, n): GroupingRule[] => {
        if (ranges[n] !== i) return []
        const ends = { from: n === 0 ? null : from, to: n === CUTS.length - 1 ? null : (CUTS[n + 1] ?? null) }
        return [{ kind: 'range', ...ends }]
      })
      const named: GroupingRule[] = values.length > 0 ? [{ kind: 'in', values }] : []
      const texts = PATTERNS.filter((_rule, n) => patterns[n] === i)
      const numbers: GroupingRule[] = accounts === i ? [{ kind: 'accounts', from: 3, to: 20 }] : []
      // Ranges of numbers alone need no list of values; account numbers and ranges would overlap.
      const rules = numeric ? spans : [...texts, ...named, ...(accounts === null ? spans : numbers)]
      // A parent stands before its children, so that none lies within itself.
      return {
        ...{ id: idOf(i), name: `Group ${i}`, color: null, order: orders[i] ?? 0, rules },
        parentId: parent < i && depth(parents, i) <= 4 ? idOf(parent) : null,
      }
    }),
  )
function depth(parents: readonly number[], i: number): number {
  const parent = parents[i] ?? i
  return parent < i ? 1 + depth(parents, parent) : 1
}

const fallbacks: fc.Arbitrary<GroupingFallback> = fc.constantFrom(
  { kind: 'ungrouped', name: 'Rest' },
  { kind: 'exclude' },
  { kind: 'asIs' },
)
const FROM = ['2024-09-01', '2025-07-15']
const eras: fc.Arbitrary<ValidityPeriod[]> = fc
  .array(groupsOf, { minLength: 1, maxLength: 3 })
  .map((each) => each.map((groups, i) => ({ from: i === 0 ? null : (FROM[i - 1] ?? null), groups })))

export const GROUPINGS_MADE = 3
export const groupings: fc.Arbitrary<NaiveGrouping[]> = fc
  .array(fc.record({ fallback: fallbacks, eras }), { minLength: GROUPINGS_MADE, maxLength: GROUPINGS_MADE })
  .map((all) => all.map((definition, i) => ({ ...definition, id: `gpg_${String(i).padStart(20, '0')}` })))

const grouped = fc
  .record({ n: fc.nat(GROUPINGS_MADE - 1), level: fc.option(fc.integer({ min: 1, max: 4 })), then: fc.boolean() })
  .map(({ n, level, then }): GroupingReference => ({
    id: `gpg_${String(n).padStart(20, '0')}`,
    ...(level === null ? {} : { level }),
    as: then ? 'then' : 'current',
  }))
const wanted = fc.record({
  op: fc.constantFrom('in' as const, 'notIn' as const),
  values: fc.array(fc.option(fc.nat(GROUPS - 1).map(idOf), { freq: 4 }), { minLength: 1, maxLength: 3 }),
})

/** A plan whose splits, and one filter more, see columns through groupings wherever they can. */
export const plansWithGroupings = (
  plans: fc.Arbitrary<QueryPlan>,
  typeOf: (field: Field) => Column['type'] | undefined,
): fc.Arbitrary<QueryPlan> =>
  fc
    .tuple(
      plans,
      fc.array(grouped, { minLength: 4, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      wanted,
    )
    .map(([plan, seen, on, condition]): QueryPlan => {
      // Without a period nothing says on which day a row counts.
      const through = (i: number): GroupingReference | undefined => {
        const { as, ...rest } = seen[i] ?? { id: '' }
        return plan.period ? { ...rest, as } : rest
      }
      const can = (field: Field): boolean => typeOf(field) !== undefined && typeOf(field) !== 'datetime'
      // Earlier units and running totals keep their split by time.
      const timed = plan.measures.some(isWindowMeasure)
      const dimensions = plan.dimensions.map(({ grain, part, bins, ...rest }, i) => {
        if (on[i] !== true || !can(rest.field) || (timed && typeOf(rest.field) === 'date'))
          return { ...rest, ...(grain ? { grain } : {}), ...(part ? { part } : {}), ...(bins ? { bins } : {}) }
        return { ...rest, grouping: through(i) }
      })
      const field = plan.dimensions.map((each) => each.field).find(can)
      const filter = field && on[3] === true ? [{ field, grouping: through(3), any: [condition] }] : []
      const measures = plan.measures.map((measure, i) => {
        if (i > 0 || on[4] !== true || !field || measure.kind !== 'column') return measure
        const more = { field, grouping: through(2), any: [condition] }
        return { ...measure, filter: [...(measure.filter ?? []), more] }
      })
      return { ...plan, v: 3, dimensions, measures, filters: [...plan.filters, ...filter] }
    })
