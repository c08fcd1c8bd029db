import type { InsightVersion, PlanDescription } from '../../../src/shared/insight-care'
import { CHART_DISPLAY, DIRECTION_OPTIONS } from './chart-choice'

export interface VersionDifference {
  label: string
  before: string
  after: string
}
const PLAN_PARTS: { key: keyof PlanDescription; label: string }[] = [
  { key: 'measures', label: 'Measures' },
  { key: 'splits', label: 'Split by' },
  { key: 'period', label: 'Period' },
  { key: 'filters', label: 'Filters' },
  { key: 'rest', label: 'Order and limits' },
]
const NOTHING_TEXT = 'Nothing'

/** What one version says otherwise than another, in words. Empty when nothing that can be told differs. */
export function versionDifferences(before: InsightVersion, after: InsightVersion): VersionDifference[] {
  const describeViz = ({ viz }: InsightVersion): string =>
    `${CHART_DISPLAY[viz.chart].label}, good is ${(DIRECTION_OPTIONS.find(({ value }) => value === viz.direction)?.label ?? '').toLowerCase()}`
  const plain: VersionDifference[] = [
    { label: 'Name', before: before.name, after: after.name },
    { label: 'Description', before: before.description, after: after.description },
    { label: 'Chart', before: describeViz(before), after: describeViz(after) },
  ]
  const parts = PLAN_PARTS.map(({ key, label }): VersionDifference => {
    return { label, before: before.parts?.[key] ?? '', after: after.parts?.[key] ?? '' }
  })
  const changedFields = [...plain, ...(before.parts && after.parts ? parts : [])].filter(
    (one) => one.before !== one.after,
  )
  const shown = changedFields.map((one) => ({
    ...one,
    before: one.before || NOTHING_TEXT,
    after: one.after || NOTHING_TEXT,
  }))
  const isPlanChanged = JSON.stringify(before.plan) !== JSON.stringify(after.plan)
  if (!isPlanChanged || changedFields.some(({ label }) => PLAN_PARTS.some((part) => part.label === label))) return shown
  return [...shown, { label: 'Question', before: 'Put in another way', after: 'As now' }]
}
