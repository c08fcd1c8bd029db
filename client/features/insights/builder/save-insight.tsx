import { conflictingVersion } from '../../../lib/error-details'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Insight, Viz } from '../../../../src/shared/insights'
import { createInsight, updateInsight } from '../queries'
import { VersionConflictDialog, type ConflictRow } from '../../../ui/forms/version-conflict-dialog'
import { CHART_DISPLAY, DIRECTION_OPTIONS } from './chart-picker'
import { toPlanDraft } from './build-plan'
import { describePeriodDraft } from './draft'
import { describeFilter } from '../../../lib/query-builder/filter-draft'
import { suggestInsightName } from './describe-draft'
import { useFormat } from '../../../lib/format'
import type { Formatter } from '../../../../src/shared/figures/formatter'
import { formulaNaming } from '../view/describe-calculation'
import type { BuilderDataset } from '../../../lib/query-builder/catalogue'

/** What a person saves: the insight without what the server adds. */
export type InsightContent = Pick<Insight, 'name' | 'description' | 'plan' | 'viz'>

const isInsight = (value: object): value is Insight => 'version' in value && 'plan' in value && 'name' in value

/** Saves a new insight or a version of an existing one; a conflict is held until the person decides. */
export function useSaveInsight(insight: Insight | null, onSaved: (saved: Insight) => void) {
  const [conflict, setConflict] = useState<{ mine: InsightContent; theirs: Insight } | null>(null)
  const mutation = useMutation({
    mutationFn: ({ input, version }: { input: InsightContent; version: number | null }) =>
      insight && version !== null ? updateInsight(insight.id, { ...input, version }) : createInsight(input),
    onSuccess: (saved) => {
      setConflict(null)
      onSaved(saved)
    },
    onError: (error, { input }) => {
      const theirs = conflictingVersion(error, isInsight)
      if (theirs) setConflict({ mine: input, theirs })
    },
  })
  const saveError = mutation.error && conflictingVersion(mutation.error, isInsight) === null ? mutation.error : null
  return {
    saving: mutation.isPending,
    error: saveError,
    conflict,
    save: (input: InsightContent) => mutation.mutate({ input, version: insight?.version ?? null }),
    keepMine: () => conflict && mutation.mutate({ input: conflict.mine, version: conflict.theirs.version }),
    takeTheirs: () => {
      if (!conflict) return
      const { theirs } = conflict
      setConflict(null)
      onSaved(theirs)
    },
    close: () => setConflict(null),
  }
}
export type InsightSaving = ReturnType<typeof useSaveInsight>

const NONE_TEXT = 'None'
const describeDirection = ({ direction }: Viz): string =>
  DIRECTION_OPTIONS.find(({ value }) => value === direction)?.label ?? NONE_TEXT
const describePercentMeasures = ({ percent = [] }: Viz): string =>
  percent.length === 0 ? NONE_TEXT : percent.map((at) => `Measure ${at + 1}`).join(', ')

function describeQuestion(of: Pick<Insight, 'plan' | 'viz'>, dataset: BuilderDataset, format: Formatter): string {
  const draft = toPlanDraft(of.plan, of.viz, dataset)
  const { catalogue, linked = [] } = dataset
  const naming = formulaNaming([dataset, ...linked], dataset.id, { format, catalogue })
  const filters = of.plan.filters.map((filter) => describeFilter(filter, naming))
  const where = filters.length === 0 ? '' : `, where ${filters.join(' and ')}`
  return `${suggestInsightName(draft)}, ${describePeriodDraft(draft.period)}${where}`
}

function conflictRows(
  { mine, theirs }: { mine: InsightContent; theirs: Insight },
  dataset: BuilderDataset | null,
  format: Formatter,
): ConflictRow[] {
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
    {
      label: 'Question',
      mine: describeQuestion(mine, dataset, format),
      theirs: describeQuestion(theirs, dataset, format),
    },
  ]
}

export function InsightConflictDialog({ saving, dataset }: { saving: InsightSaving; dataset: BuilderDataset | null }) {
  const { conflict } = saving
  const format = useFormat()
  if (!conflict) return null
  return (
    <VersionConflictDialog
      opened
      rows={conflictRows(conflict, dataset, format)}
      onTakeMine={saving.keepMine}
      onTakeTheirs={saving.takeTheirs}
      onClose={saving.close}
    />
  )
}
