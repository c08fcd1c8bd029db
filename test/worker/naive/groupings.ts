import { Temporal } from 'temporal-polyfill'
import type { Fraction, NaiveData, NaiveRow, NaiveValue } from './values'
import type { GroupingContent, ValidityPeriod, GroupNode, GroupingRule } from '../../../src/shared/groupings/groupings'
import type { GroupingReference } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { Cell } from '../../../src/shared/query/result'
import type { Column } from '../../../src/shared/data-sources/data-sources'

/** Groupings, said a second time: every group and every rule is looked at for every value. */
export interface NaiveGrouping extends GroupingContent {
  id: string
}
interface GroupingScope {
  row: NaiveRow
  column(field: Field): Column
  value(naiveRow: NaiveRow, field: Field): NaiveValue
  wall(naiveRow: NaiveRow, field: Field): Temporal.PlainDateTime | null
}
/** What stands for a value: a group, or the value itself (no id). The key sorts as SQL does: groups before texts. */
interface GroupedValue {
  id: string | null
  key: string
}

export function naiveGroup(
  data: NaiveData,
  scope: GroupingScope,
  seen: { field: Field; grouping: GroupingReference },
): GroupedValue | null {
  const { field, grouping } = seen
  const definition = data.groupings?.find(({ id }) => id === grouping.id)
  if (!definition) throw new Error('no such grouping')
  const era = eraFor(definition, scope, { data, grouping })
  const value = scope.value(scope.row, field)
  if (value === null) return null
  const column = scope.column(field)
  const text = valueText(column, value)
  // Days are no numbers that ranges hold.
  const group = owningGroup(era, text, column.type === 'date' ? text : value)
  if (group) {
    const path = pathTo(era, group)
    const shown = path[Math.min(grouping.level ?? 4, path.length) - 1]
    return shown ? { id: shown.id, key: `\u0000${String(orderOf(definition, shown.id)).padStart(4, '0')}` } : null
  }
  return definition.fallback.kind === 'asIs' ? { id: null, key: `\u0001${text}` } : null
}

export function naiveGroupName(definition: GroupingContent | undefined, key: NaiveValue): Cell {
  if (typeof key !== 'string') return definition?.fallback.kind === 'ungrouped' ? definition.fallback.name : null
  if (key.startsWith('\u0001')) return key.slice(1)
  return definition ? (allGroups(definition)[Number(key.slice(1))]?.name ?? null) : null
}

function eraFor(
  { eras }: GroupingContent,
  scope: GroupingScope,
  at: { data: NaiveData; grouping: GroupingReference },
): ValidityPeriod {
  const { calendar, periodField } = at.data
  const wall = at.grouping.as === 'then' && periodField ? scope.wall(scope.row, periodField) : null
  const day = wall?.toPlainDate() ?? Temporal.PlainDate.from(calendar.today)
  const begun = eras.filter(({ from }) => from === null || Temporal.PlainDate.compare(from, day) <= 0)
  return begun.at(-1) ?? { from: null, groups: [] }
}

const isFraction = (naiveValue: NaiveValue): naiveValue is Fraction =>
  typeof naiveValue === 'object' && naiveValue !== null
function valueText({ type }: Column, naiveValue: NaiveValue): string {
  if (typeof naiveValue === 'boolean') return naiveValue ? 'Yes' : 'No'
  if (!isFraction(naiveValue)) return String(naiveValue)
  if (type === 'date')
    return Temporal.PlainDate.from('1970-01-01')
      .add({ days: Number(naiveValue.n) })
      .toString()
  return String(Number(naiveValue.n) / Number(naiveValue.d))
}

const foldText = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
function owningGroup(period: ValidityPeriod, text: string, naiveValue: NaiveValue): GroupNode | undefined {
  const groups = groupsInOrder(period, null)
  const number = isFraction(naiveValue) ? Number(naiveValue.n) / Number(naiveValue.d) : null
  const named = (rule: GroupingRule): boolean => {
    const values = rule.kind === 'in' ? rule.values : rule.kind === 'equals' ? [rule.value] : []
    return values.some((each) => foldText(each) === foldText(text))
  }
  const inside = (rule: GroupingRule): boolean => {
    if (number === null) return false
    if (rule.kind === 'accounts') return Number.isInteger(number) && number >= rule.from && number <= rule.to
    return rule.kind === 'range' && number >= (rule.from ?? -Infinity) && number < (rule.to ?? Infinity)
  }
  const like = (rule: GroupingRule): boolean => {
    if (rule.kind === 'startsWith') return foldText(text).startsWith(foldText(rule.value))
    if (rule.kind === 'contains') return foldText(text).includes(foldText(rule.value))
    return rule.kind === 'regex' && new RegExp(rule.pattern, 'iu').test(text)
  }
  for (const test of [named, inside, like]) {
    const found = groups.find(({ rules }) => rules.some(test))
    if (found) return found
  }
  return undefined
}

const groupsInOrder = (period: ValidityPeriod, parent: string | null): GroupNode[] =>
  period.groups
    .filter(({ parentId }) => parentId === parent)
    .toSorted((a, b) => a.order - b.order)
    .flatMap((group) => [group, ...groupsInOrder(period, group.id)])
function pathTo(period: ValidityPeriod, group: GroupNode): GroupNode[] {
  const parent = period.groups.find(({ id }) => id === group.parentId)
  return [...(parent ? pathTo(period, parent) : []), group]
}
/** Those of the latest period first. */
function allGroups({ eras }: GroupingContent): GroupNode[] {
  const all = eras.toReversed().flatMap((era) => groupsInOrder(era, null))
  return all.filter(({ id }, i) => all.findIndex((other) => other.id === id) === i)
}
const orderOf = (content: GroupingContent, id: string): number => allGroups(content).findIndex((each) => each.id === id)
