import { fileColumnsReducer, NO_FILE_COLUMN_EDITS } from './column-edits'
import type { FileColumnEdits, FileColumnAction } from './column-edits'
import type { CsvSettings } from '../../../src/shared/files'

type SettingOverrides = Partial<CsvSettings>

/** What a person decided about one table of a file. Absent = as it was found. */
export interface TableDraft {
  name?: string
  chosen?: boolean
  corrected: SettingOverrides
  /** The corrections before the last one: their reading stays on screen until the newer one is there. */
  before: SettingOverrides
  edits: FileColumnEdits
}
export type TableDrafts = ReadonlyMap<string, TableDraft>

export type TableDraftChange =
  | { kind: 'rename'; name: string }
  | { kind: 'choose'; chosen: boolean }
  | { kind: 'correct'; settings: SettingOverrides }
  | { kind: 'undoCorrections' }
  | { kind: 'edit'; action: FileColumnAction }

const NO_OVERRIDES: SettingOverrides = {}
const EMPTY_TABLE_DRAFT: TableDraft = { corrected: NO_OVERRIDES, before: NO_OVERRIDES, edits: NO_FILE_COLUMN_EDITS }
export const NO_TABLE_DRAFTS: TableDrafts = new Map()

export const tableDraftOf = (drafts: TableDrafts, upload: string): TableDraft => drafts.get(upload) ?? EMPTY_TABLE_DRAFT

function changeTableDraft(draft: TableDraft, change: TableDraftChange): TableDraft {
  switch (change.kind) {
    case 'rename':
      return { ...draft, name: change.name }
    case 'choose':
      return { ...draft, chosen: change.chosen }
    case 'correct':
      return { ...draft, before: draft.corrected, corrected: { ...draft.corrected, ...change.settings } }
    case 'undoCorrections':
      return { ...draft, before: draft.corrected, corrected: NO_OVERRIDES }
    case 'edit':
      return { ...draft, edits: fileColumnsReducer(draft.edits, change.action) }
  }
}

/** Keeps what was decided about each table, by its upload, while another one is looked at. */
export const tableDraftsReducer = (
  drafts: TableDrafts,
  { upload, change }: { upload: string; change: TableDraftChange },
): TableDrafts => new Map(drafts).set(upload, changeTableDraft(tableDraftOf(drafts, upload), change))
