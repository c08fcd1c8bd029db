import type { Insight } from '../../../src/shared/insights'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { DraftDataset } from './draft'
import { draftOf } from './draft-plan'
import { planPeriodWords } from './draft-presets'
import { draftName } from './draft-words'
import type { InsightContent, Saving } from './use-saving'

const NONE = 'None'

function questionWords(of: Pick<Insight, 'plan' | 'viz'>, dataset: DraftDataset): string {
  const draft = draftOf(of.plan, of.viz, dataset)
  const filters = draft.filters.length === 0 ? '' : `, ${draft.filters.length} filters`
  return `${draftName(draft)}, ${planPeriodWords(draft.period)}${filters}`
}

/** What differs between two versions of an insight, in words. */
export function conflictRows(mine: InsightContent, theirs: Insight, dataset: DraftDataset | null): ConflictRow[] {
  const rows: ConflictRow[] = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description || NONE, theirs: theirs.description || NONE },
    { label: 'Chart', mine: mine.viz.chart, theirs: theirs.viz.chart },
    { label: 'Good direction', mine: mine.viz.direction, theirs: theirs.viz.direction },
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
