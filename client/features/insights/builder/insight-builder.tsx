import { IconButton } from '../../../ui/buttons/icon-button'
import { Alert, Box, Button, Group, Skeleton, TextInput } from '@mantine/core'
import { IconInfoCircle, IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useEffect, useReducer, useRef, useState, type ReactNode } from 'react'
import { useHotkeys } from '@mantine/hooks'
import type { Viz, Insight } from '../../../../src/shared/insights'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { ChartSkeleton } from '../../../ui/skeletons'
import { ResultFreshness, ResultView } from '../view/result-view'
import { buildPlan, type BuiltPlan } from './build-plan'
import { EmptyPeriod } from '../view/empty-result'
import { hasValues } from '../../../ui/chart/has-values'
import classes from '../insights.module.css'
import { MixedCurrencyAlert } from '../view/mixed-currency-alert'
import { mixedCurrencyLines } from '../../../lib/error-details'
import { usePreviewResult, type LiveQueryResult } from '../use-query-result'
import type { Metric } from '../../../../src/shared/metrics'
import type { SemanticCatalogue, LinkedDataset } from '../../../lib/query-builder/catalogue'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { useSession } from '../../../lib/session'
import type { PlanDraft } from './draft'
import type { DataRange } from '../../../lib/query-builder/time-column'
import { initialDraftHistory, draftHistoryReducer } from './draft-reducer'
import type { DraftHistory, DraftHistoryAction, UnsavedPlanDraft } from './draft-reducer'
import { keepDraft, useKeptDraft, type KeptDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { suggestInsightName } from './describe-draft'
import { BuilderPanel } from './builder-panel'
import { confirmVerificationLoss } from '../curation/confirm-verification-loss'
import { InsightConflictDialog, useSaveInsight } from './save-insight'
import type { DatasetWithSource } from '../../../lib/queries/data-source-queries'
import { MutedText } from '../../../ui/muted-text'

/** Of the chart, in pixels. */
const PREVIEW_HEIGHT = 300

interface BuilderPreviewProps {
  built: BuiltPlan
  preview: LiveQueryResult
  title: string
  /** Brings amounts to one currency, where they are in several. */
  onConvert: (currency: NonNullable<QueryPlan['currency']>) => void
}

interface LastGoodResult {
  result: QueryResult
  plan: QueryPlan
  viz: Viz
}

/** The newest answer together with the question and the chart it belongs to. */
function useLastGoodResult(builtPlan: BuiltPlan, { result, stale }: LiveQueryResult): LastGoodResult | null {
  const [good, setGood] = useState<LastGoodResult | null>(null)
  if (builtPlan.ok && result && !stale) {
    const { plan, viz } = builtPlan
    const same = good?.result === result && JSON.stringify(good.viz) === JSON.stringify(viz)
    if (!same) setGood({ result, plan, viz })
  }
  return good
}

/** What the draft answers so far; the last good answer stays while the next is on its way. */
function BuilderPreview({ built, preview, title, onConvert }: BuilderPreviewProps) {
  const format = useCellFormatter()
  const { stale, error } = preview
  const good = useLastGoodResult(built, preview)
  const mixed = mixedCurrencyLines(error)
  return (
    <Box p="md" aria-busy={preview.loading}>
      {!built.ok && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="status">
          {built.missing}
        </Alert>
      )}
      {built.ok && mixed && <MixedCurrencyAlert plan={built.plan} lines={mixed} onConvert={onConvert} />}
      {built.ok && !mixed && <PreviewError error={error} />}
      {good && (
        <div className={`${classes.answer} ${stale || !built.ok ? classes.stale : ''}`}>
          <MutedText mb="sm">{good.result.words}</MutedText>
          <Box mb="sm">
            <ResultFreshness result={good.result} figures={preview} />
          </Box>
          {hasValues(good.result) ? (
            <ResultView
              plan={good.plan}
              result={good.result}
              viz={good.viz}
              format={format}
              title={title}
              height={PREVIEW_HEIGHT}
            />
          ) : (
            <EmptyPeriod plan={good.plan} />
          )}
        </div>
      )}
      {!good && built.ok && error === null && <PreviewSkeleton />}
    </Box>
  )
}

/** The preview on its way: as high as the words, the freshness and the chart that come. */
const PreviewSkeleton = () => (
  <>
    <Skeleton h={20} mb="sm" aria-hidden="true" />
    <Skeleton h={20} w="40%" mb="sm" aria-hidden="true" />
    <ChartSkeleton height={PREVIEW_HEIGHT} />
  </>
)

/** Why the question was not answered: in the server's own sentences where it says what to change. */
function PreviewError({ error }: { error: Error | null }) {
  const sentences = Object.values(fieldErrors(error) ?? {})
  if (sentences.length === 0) return <FormError error={error} />
  return (
    <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="alert" color="yellow">
      {[...new Set(sentences)].join(' ')}
    </Alert>
  )
}

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
  /** What a new insight begins from: unsaved work on it is kept by this. */
  startKey?: string
  /** `isUnfinished`: something was changed while it was saved, and waits where the insight is edited. */
  onSaved: (insight: Insight, isUnfinished: boolean) => void
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
  const unsaved = useUnsavedInsight({
    ...{ insight, startKey: props.startKey, draftHistory, editedName, dispatch, readOnly },
    onName: setTyped,
  })
  const saving = useSaveInsight(insight, (saved) => onSaved(saved, unsaved.keepLater(saved)))
  const name = editedName ?? suggestInsightName(draft)
  const nameError = fieldErrors(saving.error)?.['name']
  const save = (): void => {
    if (!built.ok) return
    const content = { name, description: insight?.description ?? '', plan: built.plan, viz: built.viz }
    const proceed = (): void => {
      unsaved.markSent()
      saving.save(content)
    }
    confirmVerificationLoss({ insight, plan: built.plan, onProceed: proceed })
  }
  return (
    <>
      <DraftNotice draft={unsaved} />
      <div className={classes.builder}>
        <BuilderPanel
          draft={draft}
          built={built}
          dispatch={dispatch}
          dataset={dataset}
          dataRange={dataRange}
          onSwitchDataset={props.onSwitchDataset}
          datasets={props.datasets}
          onDataset={props.onDataset}
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
            onCancel={() => {
              unsaved.clear()
              onCancel()
            }}
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

interface UnsavedInsightSource {
  insight: Insight | null
  startKey: string | undefined
  draftHistory: DraftHistory
  editedName: string | null
  readOnly: boolean
  dispatch: (action: DraftHistoryAction) => void
  onName: (name: string | null) => void
}

/** What of an insight is not saved: as its draft is kept. */
interface UnsavedInsight {
  draft: UnsavedPlanDraft
  name: string | null
}

const draftName = (of: string): string => `insight:${of}`

interface KeptInsight extends KeptDraft {
  /** It is on its way to the server as it is now. */
  markSent: () => void
  /** It is saved: what was changed since it was sent is kept for where the insight is edited; whether there is any. */
  keepLater: (saved: Insight) => boolean
}

/** The draft and the name that was typed, until they are saved. */
function useUnsavedInsight(source: UnsavedInsightSource): KeptInsight {
  const { insight, startKey, draftHistory, editedName, readOnly, dispatch, onName } = source
  const savedName = insight?.name ?? null
  const { dataset: _data, ...draft } = draftHistory.present
  const value: UnsavedInsight = { draft, name: editedName }
  const newest = useRef(value)
  useEffect(() => {
    newest.current = value
  })
  const sent = useRef<string | null>(null)
  const kept = useKeptDraft<UnsavedInsight>({
    name: readOnly ? null : draftName(insight?.id ?? `new:${startKey ?? ''}`),
    base: insight ? String(insight.version) : (startKey ?? null),
    value,
    isDirty: draftHistory.past.length > 0 || editedName !== savedName,
    apply: (kept) => {
      dispatch({ type: 'restore', draft: kept.draft })
      onName(kept.name)
    },
    reset: () => {
      dispatch({ type: 'reset' })
      onName(savedName)
    },
  })
  const keepLater = (saved: Insight): boolean => {
    const isChanged = sent.current !== null && JSON.stringify(newest.current) !== sent.current
    kept.clear()
    if (isChanged) keepDraft({ name: draftName(saved.id), base: String(saved.version), value: newest.current })
    return isChanged
  }
  return { ...kept, markSent: () => void (sent.current = JSON.stringify(newest.current)), keepLater }
}

/** Back and forth among the steps; also by Ctrl Z and Ctrl Shift Z. */
function UndoRedoButtons({ steps, onUndo, onRedo }: { steps: DraftHistory; onUndo: () => void; onRedo: () => void }) {
  return (
    <Group gap={2} wrap="nowrap">
      <IconButton icon={IconArrowBackUp} label="Undo" size={30} disabled={steps.past.length === 0} onClick={onUndo} />
      <IconButton
        icon={IconArrowForwardUp}
        label="Redo"
        size={30}
        disabled={steps.future.length === 0}
        onClick={onRedo}
      />
    </Group>
  )
}

interface BuilderHeaderProps {
  name: string
  nameError: string | undefined
  saving: boolean
  /** The question is complete, has a name and can be kept. */
  ready: boolean
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
