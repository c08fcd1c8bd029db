import type { ColumnSources } from './column-table'
import type { ColumnVectors, GroupedVectors, GroupValue, RowSource } from './column-vectors'
import { codesOf, maskOf, type Codes, type Mask, type Numbers } from './vectors'
import { invalidPlan } from '../query/plan/plan-errors'
import { shortestPaths } from '../../shared/query/relation-paths'
import type { GroupingView } from '../query/query-context'
import { GROUP_DEPTH_MAX } from '../../shared/groupings/groupings'
import type { Condition, GroupingReference } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'

type Look = (value: string | number) => GroupValue

/** Each different value is looked up once, in the map of each period of the grouping. */
export function groupedVectors(
  source: RowSource,
  { field, grouping }: { field: Field; grouping: GroupingReference },
  sources: Pick<ColumnSources, 'groupLevels'>,
): GroupedVectors {
  const view = source.planContext.groupings?.(grouping.id)
  if (!view) throw invalidPlan('grouping', 'This grouping cannot be used here.')
  const column = source.field(field)
  const level = grouping.level ?? GROUP_DEPTH_MAX
  const values: GroupValue[] = [null]
  const places = new Map<GroupValue, number>([[null, 0]])
  const placeOf = (value: GroupValue): number => {
    const known = places.get(value)
    if (known !== undefined) return known
    const made = values.push(value) - 1
    places.set(value, made)
    return made
  }
  const inEra = (era: number): Codes => {
    const look = lookOf(view, column, { era, level, sources })
    return valueCodes(column, (value) => placeOf(look(value)))
  }
  if (grouping.as !== 'then' || view.eras.length === 1) return { view, codes: inEra(view.current), values }
  const eras = view.eras.map((_, era) => inEra(era))
  const starts = view.eras.map(({ from }) => from ?? -Infinity)
  return { view, codes: codesByDay(dayOfRow(source), { eras, starts, current: view.current }), values }
}

function lookOf(
  view: GroupingView,
  { column, dataset }: ColumnVectors,
  { era, level, sources }: { era: number; level: number; sources: Pick<ColumnSources, 'groupLevels'> },
): Look {
  const map = view.map({ dataset: dataset.id, column: column.key, era })
  if (!map) throw new TypeError('A map stands ready for every column that the plan groups.')
  const lines = sources.groupLevels(map.n, level)
  if (map.kind === 'values') {
    const groups = new Map(lines)
    return (value) => groups.get(value) ?? null
  }
  const starts = lines
    .flatMap(([from, group]): [number, GroupValue][] => (typeof from === 'number' ? [[from, group]] : []))
    .toSorted(([a], [b]) => a - b)
  return (value) => starts.findLast(([from]) => typeof value === 'number' && from <= value)?.[1] ?? null
}

/** Codes of a column's values, each worked out once; 0 of an empty cell. */
function valueCodes(column: ColumnVectors, codeOf: (value: string | number) => number): Codes {
  if (column.column.type === 'text') {
    const codes = column.codes()
    const table = Int32Array.from([0, ...column.words().map(codeOf)])
    return codesOf((place, to) => {
      const own = codes(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = table[own[i] ?? 0] ?? 0
    })
  }
  const numbers = column.numbers()
  const known = new Map<number, number>()
  return codesOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) {
      const value = values[i] ?? Number.NaN
      let code = Number.isNaN(value) ? 0 : known.get(value)
      if (code === undefined) {
        code = codeOf(value)
        known.set(value, code)
      }
      to[i] = code
    }
  })
}

/** A row without a day belongs where it would today. */
function codesByDay(
  days: Numbers,
  { eras, starts, current }: { eras: readonly Codes[]; starts: readonly number[]; current: number },
): Codes {
  return codesOf((place, to) => {
    const own = days(place)
    const codes = eras.map((era) => era(place))
    for (let i = 0; i < place.rows; i += 1) {
      const day = own[i] ?? Number.NaN
      let era = current
      if (!Number.isNaN(day)) {
        era = 0
        while (era + 1 < starts.length && day >= (starts[era + 1] ?? Infinity)) era += 1
      }
      to[i] = codes[era]?.[i] ?? 0
    }
  })
}

/** On which day a row counts: by the plan's period, else by its own first time. */
function dayOfRow(source: RowSource): Numbers {
  const { periodField, graph } = source.planContext
  const { dataset } = source
  const leads = (field: Field): boolean =>
    shortestPaths(graph.edges, { from: dataset.id, to: field.dataset, least: 0 }).length > 0
  if (periodField && leads(periodField)) return source.field(periodField).days()
  const timed = dataset.columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))
  if (!timed) throw invalidPlan('period', 'Choose a period: it tells which groups a row belonged to then.')
  return source.along([], timed.key, false).days()
}

/** Rows that are in groups (null: in none) as conditions say. Values are numbered while rows are read. */
export function groupedMask(
  { view, codes, values }: GroupedVectors,
  conditions: readonly Condition[],
  path: string,
): Mask {
  const tests = conditions.map((condition) => {
    if (condition.op !== 'in' && condition.op !== 'notIn') throw invalidPlan(path, 'Choose groups.')
    const numbers = new Set(
      condition.values.map((id) => {
        const known = id === null ? -1 : view.numbers.get(String(id))
        if (known === undefined) throw invalidPlan(path, `A group in ${view.name} was deleted.`)
        return known
      }),
    )
    return { numbers, wanted: condition.op === 'in' }
  })
  const passes = (value: GroupValue): number => {
    const number = typeof value === 'number' ? value : -1
    return Number(tests.some(({ numbers, wanted }) => numbers.has(number) === wanted))
  }
  const known: number[] = []
  return maskOf((place, to) => {
    const own = codes(place)
    for (let at = known.length; at < values.length; at += 1) known.push(passes(values[at] ?? null))
    for (let i = 0; i < place.rows; i += 1) to[i] = known[own[i] ?? 0] ?? 0
  })
}
