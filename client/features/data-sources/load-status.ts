import { loadTimes } from '../../lib/queries/data-source-queries'
import { STALE_AFTER_MS } from '../../../src/shared/limits'
import type { Freshness } from '../../ui/freshness'
import type { DataSource, LoadMode, RunState, SyncRun } from '../../../src/shared/data-sources/data-sources'
import type { SourceState } from '../../../src/shared/data-sources/source-states'

export const isActiveRun = (state: RunState): boolean => state === 'queued' || state === 'running'
/** Ended without bringing rows in; the data is as it was before. */
export const isFailedRun = (state: RunState): boolean => state === 'failed' || state === 'interrupted'

export type StatusTone = 'good' | 'warn' | 'bad' | 'working' | 'quiet'

export interface StatusLabel {
  words: string
  tone: StatusTone
}

export const LOAD_STATE_LABELS: Record<RunState, StatusLabel> = {
  queued: { words: 'Waiting', tone: 'working' },
  running: { words: 'Importing', tone: 'working' },
  succeeded: { words: 'Imported', tone: 'good' },
  unchanged: { words: 'No changes', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'quiet' },
  interrupted: { words: 'Interrupted', tone: 'bad' },
}

export const SOURCE_STATE_LABELS: Record<SourceState, StatusLabel> = {
  draft: { words: 'No data yet', tone: 'quiet' },
  connecting: { words: 'Connecting', tone: 'working' },
  ready: { words: 'Ready', tone: 'good' },
  syncing: { words: 'Importing', tone: 'working' },
  degraded: { words: 'Some imports failed', tone: 'warn' },
  failed: { words: 'Import failed', tone: 'bad' },
  paused: { words: 'Paused', tone: 'quiet' },
  frozen: { words: 'Over plan limit', tone: 'warn' },
}

/** Rows that the file has and the data has not, or has twice. What an upsert left out for a later row is neither. */
const hasIssues = ({ mode, rowsRejected, rowsDuplicate }: Pick<SyncRun, 'mode' | 'rowsRejected' | 'rowsDuplicate'>) =>
  rowsRejected > 0 || (mode === 'append' && rowsDuplicate > 0)

/** How a load ended: never simply well when rows of it are missing or double. */
export const runStatus = (run: Pick<SyncRun, 'state' | 'mode' | 'rowsRejected' | 'rowsDuplicate'>): StatusLabel =>
  run.state === 'succeeded' && hasIssues(run)
    ? { words: 'Imported with issues', tone: 'warn' }
    : LOAD_STATE_LABELS[run.state]

/** Rows that the data shown now lacks or holds twice. */
export const dataIssueCount = ({ datasets }: Pick<DataSource, 'datasets'>): number =>
  datasets.reduce((sum, { rowsRejected, rowsDuplicate }) => sum + rowsRejected + rowsDuplicate, 0)

/** How a source is: never simply ready when rows of its files are missing or double. */
export function sourceStatus(source: Pick<DataSource, 'state' | 'frozen' | 'datasets'>): StatusLabel {
  const state = source.frozen ? 'frozen' : source.state
  return state === 'ready' && dataIssueCount(source) > 0
    ? { words: 'Data issues', tone: 'warn' }
    : SOURCE_STATE_LABELS[state]
}

export const LOAD_MODE_LABELS: Record<LoadMode, string> = {
  create: 'First import',
  append: 'Rows appended',
  replace: 'All rows replaced',
  upsert: 'Rows updated or added',
  replacePart: 'Part replaced',
}

/** What kind of load this was, in words. */
export const describeRunKind = ({
  trigger,
  mode,
  restoredVersion,
}: Pick<SyncRun, 'trigger' | 'mode' | 'restoredVersion'>): string =>
  trigger !== 'rollback'
    ? LOAD_MODE_LABELS[mode]
    : restoredVersion === null
      ? 'Earlier version restored'
      : `Version ${restoredVersion} restored`

/** Rows the file probably holds, judged by how far into it the load has come; null before anything is known. */
export function estimateTotalRows(run: Pick<SyncRun, 'rowsRead' | 'bytesRead' | 'bytesTotal'>): number | null {
  if (run.rowsRead === 0 || run.bytesRead === 0) return null
  return Math.max(run.rowsRead, Math.round((run.rowsRead * run.bytesTotal) / run.bytesRead))
}

/** Share of the file that has been read, 0–1. */
export const readShare = ({ bytesRead, bytesTotal }: Pick<SyncRun, 'bytesRead' | 'bytesTotal'>): number =>
  bytesTotal === 0 ? 0 : Math.min(1, bytesRead / bytesTotal)

/** Seconds a load took; null while it lasts. */
export const runDurationSeconds = ({
  startedAt,
  finishedAt,
}: Pick<SyncRun, 'startedAt' | 'finishedAt'>): number | null =>
  finishedAt === null ? null : Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)

export const totalRowCount = ({ datasets }: Pick<DataSource, 'datasets'>): number =>
  datasets.reduce((sum, dataset) => sum + dataset.rowCount, 0)

/** Loads that began within this time of the newest belong to one drop. */
const BATCH_WINDOW_MS = 60_000

/** The newest load, with those that began about when it did: the tables of one drop. Also any other still under way. */
export function latestBatch(runs: readonly SyncRun[]): SyncRun[] {
  const newest = Math.max(...runs.map(({ startedAt }) => Date.parse(startedAt)))
  return runs.filter(({ startedAt, state }) => newest - Date.parse(startedAt) <= BATCH_WINDOW_MS || isActiveRun(state))
}

/** Progress of several loads as if they were one; null when none is under way. */
export function combinedProgress(runs: readonly SyncRun[]): SyncRun | null {
  const active = runs.filter(({ state }) => isActiveRun(state))
  const first = active.find(({ state }) => state === 'running') ?? active[0]
  if (!first) return null
  const sum = (of: (run: SyncRun) => number): number => active.reduce((total, run) => total + of(run), 0)
  return {
    ...first,
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsRejected: sum(({ rowsRejected }) => rowsRejected),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    bytesTotal: sum(({ bytesTotal }) => bytesTotal),
  }
}

/** When the newest rows came in. */
export const latestLoadedAt = (source: Pick<DataSource, 'datasets'>): string | null =>
  loadTimes([source]).at(-1) ?? null

/** How current a source is. A file that is over five weeks old has missed a month. `now` in epoch ms. */
export function sourceFreshness(source: DataSource, now: number): Freshness | null {
  if (source.lastRun && isActiveRun(source.lastRun.state)) return 'working'
  if (source.state === 'failed') return 'failed'
  const at = latestLoadedAt(source)
  if (at === null) return null
  return now - Date.parse(at) > STALE_AFTER_MS ? 'stale' : 'fresh'
}
