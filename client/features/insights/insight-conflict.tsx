import type { Insight, Viz } from '../../../src/shared/insights'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import { CHART_DISPLAY, DIRECTION_OPTIONS } from './chart-choice'
import { toPlanDraft } from './draft-plan'
import { describePeriodDraft } from './draft-presets'
import { describeFilter } from '../../lib/filters/filter-words'
import { suggestInsightName } from './draft-words'
import { fieldLabeller } from './provenance'
import type { InsightContent, InsightSaving } from './use-saving'
import type { BuilderDataset } from '../../lib/filters/fields'

const NONE_TEXT = 'None'
const describeDirection = ({ direction }: Viz): string =>
  DIRECTION_OPTIONS.find(({ value }) => value === direction)?.label ?? NONE_TEXT
const describePercentMeasures = ({ percent = [] }: Viz): string =>
  percent.length === 0 ? NONE_TEXT : percent.map((at) => `Measure ${at + 1}`).join(', ')

function describeQuestion(of: Pick<Insight, 'plan' | 'viz'>, dataset: BuilderDataset): string {
  const draft = toPlanDraft(of.plan, of.viz, dataset)
  const label = fieldLabeller([dataset, ...(dataset.linked ?? [])], dataset.id)
  const filters = of.plan.filters.map((filter) => describeFilter(filter, { label, catalogue: dataset.catalogue }))
  const where = filters.length === 0 ? '' : `, where ${filters.join(' and ')}`
  return `${suggestInsightName(draft)}, ${describePeriodDraft(draft.period)}${where}`
}

/** What differs between two versions of an insight, in words. */
export function conflictRows(mine: InsightContent, theirs: Insight, dataset: BuilderDataset | null): ConflictRow[] {
  const rows: ConflictRow[] = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description || NONE_TEXT, theirs: theirs.description || NONE_TEXT },
    { label: 'Chart', mine: CHART_DISPLAY[mine.viz.chart].label, theirs: CHART_DISPLAY[theirs.viz.chart].label },
    { label: 'Good direction', mine: describeDirection(mine.viz), theirs: describeDirection(theirs.viz) },
    { label: 'Shown as %', mine: describePercentMeasures(mine.viz), theirs: describePercentMeasures(theirs.viz) },
  ]
  const differ = rows.filter((row) => row.mine !== row.theirs)
  if (!dataset || JSON.stringify(mine.plan) === JSON.stringify(theirs.plan)) return differ
  return [
    ...differ,
    { label: 'Question', mine: describeQuestion(mine, dataset), theirs: describeQuestion(theirs, dataset) },
  ]
}

export function InsightConflictDialog({ saving, dataset }: { saving: InsightSaving; dataset: BuilderDataset | null }) {
  const { conflict } = saving
  if (!conflict) return null
  return (
    <VersionConflictDialog
      opened
      rows={conflictRows(conflict.mine, conflict.theirs, dataset)}
      onTakeMine={saving.keepMine}
      onTakeTheirs={saving.takeTheirs}
      onClose={saving.close}
    />
  )
}
