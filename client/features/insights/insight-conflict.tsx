import type { Insight, Viz } from '../../../src/shared/insights'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import { CHART_LOOKS, DIRECTIONS } from './chart-choice'
import { draftOf } from './draft-plan'
import { planPeriodWords } from './draft-presets'
import { filterWords } from '../../lib/filters/filter-words'
import { draftName } from './draft-words'
import { labelOf } from './provenance'
import type { InsightContent, Saving } from './use-saving'
import type { DraftDataset } from '../../lib/filters/fields'

const NONE = 'None'
const directionWords = ({ direction }: Viz): string =>
  DIRECTIONS.find(({ value }) => value === direction)?.label ?? NONE
const percentWords = ({ percent = [] }: Viz): string =>
  percent.length === 0 ? NONE : percent.map((at) => `Measure ${at + 1}`).join(', ')

function questionWords(of: Pick<Insight, 'plan' | 'viz'>, dataset: DraftDataset): string {
  const draft = draftOf(of.plan, of.viz, dataset)
  const label = labelOf([dataset, ...(dataset.linked ?? [])], dataset.id)
  const filters = of.plan.filters.map((filter) => filterWords(filter, { label, catalogue: dataset.catalogue }))
  const where = filters.length === 0 ? '' : `, where ${filters.join(' and ')}`
  return `${draftName(draft)}, ${planPeriodWords(draft.period)}${where}`
}

/** What differs between two versions of an insight, in words. */
export function conflictRows(mine: InsightContent, theirs: Insight, dataset: DraftDataset | null): ConflictRow[] {
  const rows: ConflictRow[] = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description || NONE, theirs: theirs.description || NONE },
    { label: 'Chart', mine: CHART_LOOKS[mine.viz.chart].label, theirs: CHART_LOOKS[theirs.viz.chart].label },
    { label: 'Good direction', mine: directionWords(mine.viz), theirs: directionWords(theirs.viz) },
    { label: 'Shown as %', mine: percentWords(mine.viz), theirs: percentWords(theirs.viz) },
  ]
  const differ = rows.filter((row) => row.mine !== row.theirs)
  if (!dataset || JSON.stringify(mine.plan) === JSON.stringify(theirs.plan)) return differ
  return [...differ, { label: 'Question', mine: questionWords(mine, dataset), theirs: questionWords(theirs, dataset) }]
}

export function InsightConflict({ saving, dataset }: { saving: Saving; dataset: DraftDataset | null }) {
  const { conflict } = saving
  if (!conflict) return null
  return (
    <VersionConflictDialog
      opened
      rows={conflictRows(conflict.mine, conflict.theirs, dataset)}
      onTakeMine={saving.takeMine}
      onTakeTheirs={saving.takeTheirs}
      onClose={saving.close}
    />
  )
}
