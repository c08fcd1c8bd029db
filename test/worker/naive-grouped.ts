import { Temporal } from 'temporal-polyfill'
import type { Fraction, NaiveData, Row, Value } from './naive-values'
import type { Definition, Era, GroupNode, Rule } from '../../src/shared/groupings'
import type { Field, Grouped } from '../../src/shared/query'
import type { Cell } from '../../src/shared/query-result'
import type { Column } from '../../src/shared/sources'

/** Groupings, said a second time: every group and every rule is looked at for every value. */
export interface NaiveGrouping extends Definition {
  id: string
}
interface Sight {
  row: Row
  column(field: Field): Column
  value(row: Row, field: Field): Value
  wall(row: Row, field: Field): Temporal.PlainDateTime | null
}
/** What stands for a value: a group, or the value itself (no id). The key sorts as SQL does: groups before texts. */
interface Found {
  id: string | null
  key: string
}

export function naiveGroup(data: NaiveData, sight: Sight, seen: { field: Field; grouping: Grouped }): Found | null {
  const { field, grouping } = seen
  const definition = data.groupings?.find(({ id }) => id === grouping.id)
  if (!definition) throw new Error('no such grouping')
  const era = eraFor(definition, sight, { data, grouping })
  const value = sight.value(sight.row, field)
  if (value === null) return null
  const column = sight.column(field)
  const text = written(column, value)
  // Days are no numbers that ranges hold.
  const group = owner(era, text, column.type === 'date' ? text : value)
  if (group) {
    const path = pathTo(era, group)
    const shown = path[Math.min(grouping.level ?? 4, path.length) - 1]
    return shown ? { id: shown.id, key: `\u0000${String(orderOf(definition, shown.id)).padStart(4, '0')}` } : null
  }
  return definition.fallback.kind === 'asIs' ? { id: null, key: `\u0001${text}` } : null
}

export function naiveGroupName(definition: Definition | undefined, key: Value): Cell {
  if (typeof key !== 'string') return definition?.fallback.kind === 'ungrouped' ? definition.fallback.name : null
  if (key.startsWith('\u0001')) return key.slice(1)
  return definition ? (everyGroup(definition)[Number(key.slice(1))]?.name ?? null) : null
}

function eraFor({ eras }: Definition, sight: Sight, at: { data: NaiveData; grouping: Grouped }): Era {
  const { calendar, periodField } = at.data
  const wall = at.grouping.as === 'then' && periodField ? sight.wall(sight.row, periodField) : null
  const day = wall?.toPlainDate() ?? Temporal.PlainDate.from(calendar.today)
  const begun = eras.filter(({ from }) => from === null || Temporal.PlainDate.compare(from, day) <= 0)
  return begun.at(-1) ?? { from: null, groups: [] }
}

const isFraction = (value: Value): value is Fraction => typeof value === 'object' && value !== null
function written({ type }: Column, value: Value): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (!isFraction(value)) return String(value)
  if (type === 'date')
    return Temporal.PlainDate.from('1970-01-01')
      .add({ days: Number(value.n) })
      .toString()
  return String(Number(value.n) / Number(value.d))
}

const plain = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
function owner(era: Era, text: string, value: Value): GroupNode | undefined {
  const groups = walk(era, null)
  const number = isFraction(value) ? Number(value.n) / Number(value.d) : null
  const named = (rule: Rule): boolean => {
    const values = rule.kind === 'in' ? rule.values : rule.kind === 'equals' ? [rule.value] : []
    return values.some((each) => plain(each) === plain(text))
  }
  const inside = (rule: Rule): boolean => {
    if (number === null) return false
    if (rule.kind === 'accounts') return Number.isInteger(number) && number >= rule.from && number <= rule.to
    return rule.kind === 'range' && number >= (rule.from ?? -Infinity) && number < (rule.to ?? Infinity)
  }
  const like = (rule: Rule): boolean => {
    if (rule.kind === 'startsWith') return plain(text).startsWith(plain(rule.value))
    if (rule.kind === 'contains') return plain(text).includes(plain(rule.value))
    return rule.kind === 'regex' && new RegExp(rule.pattern, 'iu').test(text)
  }
  for (const test of [named, inside, like]) {
    const found = groups.find(({ rules }) => rules.some(test))
    if (found) return found
  }
  return undefined
}

const walk = (era: Era, parent: string | null): GroupNode[] =>
  era.groups
    .filter(({ parentId }) => parentId === parent)
    .toSorted((a, b) => a.order - b.order)
    .flatMap((group) => [group, ...walk(era, group.id)])
function pathTo(era: Era, group: GroupNode): GroupNode[] {
  const parent = era.groups.find(({ id }) => id === group.parentId)
  return [...(parent ? pathTo(era, parent) : []), group]
}
/** Those of the latest period first. */
function everyGroup({ eras }: Definition): GroupNode[] {
  const all = eras.toReversed().flatMap((era) => walk(era, null))
  return all.filter(({ id }, i) => all.findIndex((other) => other.id === id) === i)
}
const orderOf = (definition: Definition, id: string): number =>
  everyGroup(definition).findIndex((each) => each.id === id)
