import type { GroupingTarget, GroupingRule } from '../../../src/shared/groupings/groupings'
import type { DatasetWithSource } from '../../lib/data-source-queries'

/** What is put into groups. */
export function describeTarget(target: GroupingTarget, datasets: readonly DatasetWithSource[]): string {
  if (target.kind === 'account') return 'Accounts of every ledger'
  const dataset = datasets.find(({ id }) => id === target.dataset)
  const column = dataset?.columns.find(({ key }) => key === target.column)
  return dataset && column ? `${column.label} of ${dataset.name}` : 'A column that is gone'
}

/** A rule as a person would say it. */
export function describeRule(groupingRule: GroupingRule): string {
  switch (groupingRule.kind) {
    case 'in':
      return groupingRule.values.length === 1
        ? `is ${groupingRule.values[0] ?? ''}`
        : `is one of ${groupingRule.values.length} values`
    case 'equals':
      return `is ${groupingRule.value}`
    case 'startsWith':
      return `begins with ${groupingRule.value}`
    case 'contains':
      return `contains ${groupingRule.value}`
    case 'regex':
      return `matches ${groupingRule.pattern}`
    case 'accounts':
      return `accounts ${groupingRule.from}–${groupingRule.to}`
    case 'range':
      if (groupingRule.from === null && groupingRule.to === null) return 'any number'
      if (groupingRule.from === null) return `under ${groupingRule.to ?? ''}`
      return groupingRule.to === null
        ? `${groupingRule.from} and more`
        : `from ${groupingRule.from}, under ${groupingRule.to}`
  }
}

export const pluralize = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
