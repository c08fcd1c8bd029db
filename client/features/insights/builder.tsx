import { ActionIcon, Button, Group, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useReducer, useState } from 'react'
import type { ReactNode } from 'react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import type { SemanticCatalogue } from '../../lib/filters/catalogue'
import type { Dataset } from '../../../src/shared/sources'
import { useSession } from '../../lib/session'
import { fieldErrors, FormError } from '../../ui/form-error'
import type { PlanDraft } from './draft'
import type { DataRange } from './draft-defaults'
import { buildPlan } from './draft-plan'
import { initialDraftHistory, draftHistoryReducer } from './draft-steps'
import type { DraftHistory } from './draft-steps'
import { suggestInsightName } from './draft-words'
import { BuilderPanel } from './builder-panel'
import { BuilderPreview } from './builder-preview'
import { confirmVerificationLoss } from './before-unverified'
import { InsightConflictDialog } from './insight-conflict'
import classes from './insights.module.css'
import type { DatasetWithSource } from '../../lib/loaded-datasets'
import { usePreviewResult } from './use-figures'
import { useSaveInsight } from './use-saving'
import type { LinkedDataset } from '../../lib/filters/fields'

export interface InsightBuilderProps {
  dataset: Dataset & { linked?: LinkedDataset[]; catalogue?: SemanticCatalogue }
  /** Choices of data; absent while an existing insight is edited. */
  datasets?: DatasetWithSource[]
  onDataset?: (id: string) => void
  /** Looks at the data of a metric that does not join to this; absent while an existing insight is edited. */
  onSwitchDataset?: (metric: Metric) => void
  dataRange: DataRange | null
  initial: PlanDraft
  /** The insight that is edited; null for a new one. */
  insight: Insight | null
  onSaved: (insight: Insight) => void
  onCancel: () => void
}

/** Measure, split, period, comparison, filters and chart on the left; what comes of them on the right. */
export function InsightBuilder(props: InsightBuilderProps) {
  const { dataset, dataRange, initial, insight, onSaved, onCancel } = props
  const [draftHistory, dispatch] = useReducer(draftHistoryReducer, initial, initialDraftHistory)
  const draft = draftHistory.present
  const [undo, redo] = [(): void => dispatch({ type: 'undo' }), (): void => dispatch({ type: 'redo' })]
  useHotkeys([
    ['mod+Z', undo],
    ['mod+shift+Z', redo],
  ])
  const [editedName, setTyped] = useState<string | null>(insight?.name ?? null)
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  const built = buildPlan(draft)
  const preview = usePreviewResult(built.ok ? built.plan : null)
  const saving = useSaveInsight(insight, onSaved)
  const name = editedName ?? suggestInsightName(draft)
  const nameError = fieldErrors(saving.error)?.['name']
  const save = (): void => {
    if (!built.ok) return
    const content = { name, description: insight?.description ?? '', plan: built.plan, viz: built.viz }
    confirmVerificationLoss({ insight, plan: built.plan, onProceed: () => saving.save(content) })
  }
  return (
    <>
      <div className={classes.builder}>
        <BuilderPanel
          draft={draft}
          built={built}
          dispatch={dispatch}
          dataset={dataset}
          dataRange={dataRange}
          onSwitchDataset={props.onSwitchDataset}
          {...(props.datasets ? { datasets: props.datasets } : {})}
          {...(props.onDataset ? { onDataset: props.onDataset } : {})}
        />
        <section className={`surface ${classes.preview}`} aria-label="Preview">
          <BuilderHeader
            name={name}
            nameError={nameError}
            saving={saving.saving}
            ready={built.ok && name.trim() !== '' && !readOnly}
            onName={setTyped}
            onSave={save}
            undoRedo={<UndoRedoButtons steps={draftHistory} onUndo={undo} onRedo={redo} />}
            onCancel={onCancel}
          />
          {nameError === undefined && <FormError error={saving.error} />}
          <BuilderPreview
            built={built}
            preview={preview}
            title={name}
            onConvert={(currency) => dispatch({ type: 'currency', currency })}
          />
        </section>
      </div>
      <InsightConflictDialog saving={saving} dataset={dataset} />
    </>
  )
}

/** Back and forth among the steps; also by Ctrl Z and Ctrl Shift Z. */
function UndoRedoButtons({ steps, onUndo, onRedo }: { steps: DraftHistory; onUndo: () => void; onRedo: () => void }) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label="Undo"
        disabled={steps.past.length === 0}
        onClick={onUndo}
      >
        <IconArrowBackUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label="Redo"
        disabled={steps.future.length === 0}
        onClick={onRedo}
      >
        <IconArrowForwardUp size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

interface BuilderHeaderProps {
  name: string
  nameError: string | undefined
  saving: boolean
  /** The question is complete, has a name and can be kept. */
  ready: boolean
  /** Back and forth among the steps. */
  undoRedo: ReactNode
  onName: (name: string) => void
  onSave: () => void
  onCancel: () => void
}

function BuilderHeader({ name, nameError, saving, ready, undoRedo, onName, onSave, onCancel }: BuilderHeaderProps) {
  return (
    <Group p="md" gap="sm" align="flex-end" style={{ borderBottom: '1px solid var(--line)' }}>
      <TextInput
        label="Name"
        value={name}
        maxLength={80}
        error={nameError}
        onChange={(event) => onName(event.currentTarget.value)}
        style={{ flex: '1 1 16rem' }}
      />
      <Group gap="xs">
        {undoRedo}
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={onSave} loading={saving} disabled={!ready}>
          Save insight
        </Button>
      </Group>
    </Group>
  )
}
