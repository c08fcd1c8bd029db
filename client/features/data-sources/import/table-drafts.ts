import { fitColumns, fitSettings } from './import-choices'
import { fileColumnsReducer, NO_FILE_COLUMN_EDITS } from '../columns/file-column-edits'
import type { FileColumnAction, FileColumnEdits } from '../columns/file-column-edits'
import type { CleaningStep } from '../../../../src/shared/data-sources/cleaning'
import type { CsvSettings } from '../../../../src/shared/data-sources/files'
import type { RememberedImport } from '../../../../src/shared/data-sources/import-choices'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'

type SettingOverrides = Partial<CsvSettings>

/**
 * Choices of an earlier import: `read` with its settings, and once that is done used as far as they fit; or put aside, so
 * that all is as it was detected.
 */
export interface DraftMemory {
  of: RememberedImport
  state: 'reading' | 'used' | 'declined'
  /** Whether any of them fits this file. */
  fits: boolean
  /** What does not, by name. */
  leftOut: readonly string[]
}

/** What a person decided about one table of a file. Absent = as it was found. */
export interface TableDraft {
  name?: string
  chosen?: boolean
  corrected: SettingOverrides
  /** Of the data that the steps were changed for: once they are imported, the table has them. */
  version: number
  /** Absent: those of the table that the file is for. */
  cleaning?: readonly CleaningStep[]
  /** What they were before each change, the last one last; undefined: as they were found. */
  cleaningPast: readonly (readonly CleaningStep[] | undefined)[]
  /** How it was read before the last change: that stays on screen until the newer reading is there. */
  before: Pick<TableDraft, 'corrected' | 'cleaning'>
  edits: FileColumnEdits
  memory?: DraftMemory
}
export type TableDrafts = ReadonlyMap<string, TableDraft>

export type TableDraftChange =
  | { kind: 'rename'; name: string }
  | { kind: 'choose'; chosen: boolean }
  | { kind: 'correct'; settings: SettingOverrides }
  | { kind: 'undoCorrections' }
  | { kind: 'clean'; steps: readonly CleaningStep[] }
  | { kind: 'undoClean' }
  | { kind: 'edit'; action: FileColumnAction }
  | { kind: 'useDetected'; memory: DraftMemory }
  | { kind: 'useRemembered' }
  | { kind: 'readRemembered'; memory: DraftMemory; settings: SettingOverrides; steps?: readonly CleaningStep[] }
  | { kind: 'editRemembered'; memory: DraftMemory; edits: FileColumnEdits }

export const NO_OVERRIDES: SettingOverrides = {}
const EMPTY_TABLE_DRAFT: TableDraft = {
  version: 0,
  corrected: NO_OVERRIDES,
  cleaningPast: [],
  before: { corrected: NO_OVERRIDES },
  edits: NO_FILE_COLUMN_EDITS,
}
export const NO_TABLE_DRAFTS: TableDrafts = new Map()

/** What was decided about a table; steps that were changed for other rows than those of `version` are none of it. */
export function tableDraftOf(drafts: TableDrafts, upload: string, version: number): TableDraft {
  const draft = drafts.get(upload) ?? EMPTY_TABLE_DRAFT
  if (draft.version === version) return draft
  const { cleaning: _imported, memory: _taken, ...rest } = draft
  return { ...rest, version, cleaningPast: [], before: { corrected: draft.before.corrected } }
}

const readingOf = ({ corrected, cleaning }: TableDraft): TableDraft['before'] => ({
  corrected,
  ...(cleaning === undefined ? {} : { cleaning }),
})

/** The same table with nothing decided about how it is read. */
function undecided(draft: TableDraft): TableDraft {
  const { cleaning: _steps, memory: _taken, ...rest } = draft
  const { corrected, cleaningPast, edits } = EMPTY_TABLE_DRAFT
  return { ...rest, corrected, cleaningPast, edits, before: readingOf(draft) }
}

function changeTableDraft(draft: TableDraft, change: TableDraftChange): TableDraft {
  switch (change.kind) {
    case 'rename':
      return { ...draft, name: change.name }
    case 'choose':
      return { ...draft, chosen: change.chosen }
    case 'correct':
      return { ...draft, before: readingOf(draft), corrected: { ...draft.corrected, ...change.settings } }
    case 'undoCorrections':
      return { ...draft, before: readingOf(draft), corrected: NO_OVERRIDES }
    case 'clean':
      return {
        ...draft,
        before: readingOf(draft),
        cleaning: change.steps,
        cleaningPast: [...draft.cleaningPast, draft.cleaning],
      }
    case 'undoClean': {
      const { cleaning: _undone, ...rest } = draft
      const last = draft.cleaningPast.at(-1)
      return {
        ...rest,
        ...(last === undefined ? {} : { cleaning: last }),
        before: readingOf(draft),
        cleaningPast: draft.cleaningPast.slice(0, -1),
      }
    }
    case 'edit':
      return { ...draft, edits: fileColumnsReducer(draft.edits, change.action) }
    case 'useDetected':
    case 'useRemembered':
    case 'readRemembered':
    case 'editRemembered':
      return changeMemory(draft, change)
  }
}

function changeMemory(
  draft: TableDraft,
  change: Extract<TableDraftChange, { memory: DraftMemory } | { kind: 'useRemembered' }>,
): TableDraft {
  switch (change.kind) {
    case 'useDetected':
      return { ...undecided(draft), memory: change.memory }
    case 'useRemembered':
      return undecided(draft)
    case 'readRemembered': {
      const steps = change.steps === undefined ? {} : { cleaning: change.steps }
      const isCorrected = Object.keys(change.settings).length > 0
      const corrected = isCorrected ? { ...draft.corrected, ...change.settings } : draft.corrected
      return { ...draft, ...steps, corrected, before: readingOf(draft), memory: change.memory }
    }
    case 'editRemembered':
      return { ...draft, edits: new Map([...change.edits, ...draft.edits]), memory: change.memory }
  }
}

/** Keeps what was decided about each table, by its upload, while another one is looked at. */
export const tableDraftsReducer = (
  drafts: TableDrafts,
  { upload, version, change }: { upload: string; version: number; change: TableDraftChange },
): TableDrafts => new Map(drafts).set(upload, changeTableDraft(tableDraftOf(drafts, upload, version), change))

/** How a table is read so far. */
export interface DraftReading {
  /** As it was detected. */
  detected: UploadInspection | undefined
  /** As the draft has it; undefined while that is on its way. */
  current: UploadInspection | undefined
  /** Whether it cannot be read as the draft has it. */
  failed: boolean
  /** The steps of the table that the file is for. */
  recipe: readonly CleaningStep[]
  /** Names of the tables in hand, of which one is meant; null where all may be. */
  tables: readonly string[] | null
}

/** What follows for a draft from choices of an earlier import; null when nothing does. */
export function nextMemoryChange(draft: TableDraft, reading: DraftReading): TableDraftChange | null {
  const { memory } = draft
  const { detected, current } = reading
  if (!memory) return detected?.remembered ? readRemembered(detected, detected.remembered, reading) : null
  if (memory.state !== 'reading') return null
  const columns = memory.of.choices?.columns ?? []
  if (reading.failed) return { kind: 'useDetected', memory: { ...memory, state: 'declined', fits: false } }
  if (!current) return null
  const { fitting, leftOut } = fitColumns(current, columns)
  const fits = memory.fits || fitting.size > 0 || (memory.of.choices?.targets.length ?? 0) > 0
  const used: DraftMemory = { ...memory, state: 'used', fits, leftOut: [...memory.leftOut, ...leftOut] }
  return { kind: 'editRemembered', memory: used, edits: fitting }
}

function readRemembered(
  detected: UploadInspection,
  of: RememberedImport,
  { recipe, tables }: DraftReading,
): TableDraftChange {
  const { fitting, leftOut } = fitSettings(detected.settings, of.choices?.settings ?? [])
  const table = of.choices?.table
  const gone =
    table === undefined || !tables || tables.length === 1 || tables.includes(table) ? [] : [`table “${table}”`]
  const takesSteps = of.cleaning.length > 0 && JSON.stringify(of.cleaning) !== JSON.stringify(recipe)
  const fits = takesSteps || Object.keys(fitting).length > 0
  return {
    kind: 'readRemembered',
    memory: { of, state: 'reading', fits, leftOut: [...gone, ...leftOut] },
    settings: fitting,
    ...(takesSteps ? { steps: of.cleaning } : {}),
  }
}
