import type { GroupingTarget, GroupingRule } from '../../../src/shared/groupings/groupings'
import type { DatasetWithSource } from '../../lib/queries/data-source-queries'

export function describeTarget(target: GroupingTarget, datasets: readonly DatasetWithSource[]): string {
  if (target.kind === 'account') return 'Accounts in all ledgers'
  const dataset = datasets.find(({ id }) => id === target.dataset)
  const column = dataset?.columns.find(({ key }) => key === target.column)
  return dataset && column ? `${column.label} of ${dataset.name}` : 'Column not found'
}

export function describeRule(rule: GroupingRule): string {
  switch (rule.kind) {
    case 'in':
      return rule.values.length === 1 ? `is ${rule.values[0] ?? ''}` : `is one of ${rule.values.length} values`
    case 'equals':
      return `is ${rule.value}`
    case 'startsWith':
      return `starts with ${rule.value}`
    case 'contains':
      return `contains ${rule.value}`
    case 'regex':
      return `matches ${rule.pattern}`
    case 'accounts':
      return `accounts ${rule.from}–${rule.to}`
    case 'range':
      if (rule.from === null && rule.to === null) return 'any number'
      if (rule.from === null) return `below ${rule.to ?? ''}`
      return rule.to === null ? `${rule.from} and more` : `${rule.from} to below ${rule.to}`
  }
}

export const pluralize = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
