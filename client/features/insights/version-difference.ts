import type { InsightVersion, PlanParts } from '../../../src/shared/insight-care'
import { CHART_LOOKS, DIRECTIONS } from './chart-choice'

export interface Difference {
  label: string
  before: string
  after: string
}
const PARTS: { key: keyof PlanParts; label: string }[] = [
  { key: 'measures', label: 'Measures' },
  { key: 'splits', label: 'Split by' },
  { key: 'period', label: 'Period' },
  { key: 'filters', label: 'Filters' },
  { key: 'rest', label: 'Order and limits' },
]
const NOTHING = 'Nothing'

/** What one version says otherwise than another, in words. Empty when nothing that can be told differs. */
export function differences(before: InsightVersion, after: InsightVersion): Difference[] {
  const look = ({ viz }: InsightVersion): string =>
    `${CHART_LOOKS[viz.chart].label}, good is ${(DIRECTIONS.find(({ value }) => value === viz.direction)?.label ?? '').toLowerCase()}`
  const plain: Difference[] = [
    { label: 'Name', before: before.name, after: after.name },
    { label: 'Description', before: before.description, after: after.description },
    { label: 'Chart', before: look(before), after: look(after) },
  ]
  const parts = PARTS.map(({ key, label }): Difference => {
    return { label, before: before.parts?.[key] ?? '', after: after.parts?.[key] ?? '' }
  })
  const told = [...plain, ...(before.parts && after.parts ? parts : [])].filter((one) => one.before !== one.after)
  const shown = told.map((one) => ({ ...one, before: one.before || NOTHING, after: one.after || NOTHING }))
  const isOther = JSON.stringify(before.plan) !== JSON.stringify(after.plan)
  if (!isOther || told.some(({ label }) => PARTS.some((part) => part.label === label))) return shown
  return [...shown, { label: 'Question', before: 'Put in another way', after: 'As now' }]
}
