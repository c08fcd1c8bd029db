import { editReducer, NO_EDITS } from './column-edits'
import type { ColumnEdits, EditAction } from './column-edits'
import type { CsvSettings } from '../../../src/shared/files'

type Corrections = Partial<CsvSettings>

/** What a person decided about one table of a file. Absent = as it was found. */
export interface TableDraft {
  name?: string
  chosen?: boolean
  corrected: Corrections
  /** The corrections before the last one: their reading stays on screen until the newer one is there. */
  before: Corrections
  edits: ColumnEdits
}
export type TableDrafts = ReadonlyMap<string, TableDraft>

export type DraftChange =
  | { kind: 'rename'; name: string }
  | { kind: 'choose'; chosen: boolean }
  | { kind: 'correct'; settings: Corrections }
  | { kind: 'undoCorrections' }
  | { kind: 'edit'; action: EditAction }

const NONE: Corrections = {}
const FRESH: TableDraft = { corrected: NONE, before: NONE, edits: NO_EDITS }
export const NO_DRAFTS: TableDrafts = new Map()

export const draftOf = (drafts: TableDrafts, upload: string): TableDraft => drafts.get(upload) ?? FRESH

function changed(draft: TableDraft, change: DraftChange): TableDraft {
  switch (change.kind) {
    case 'rename':
      return { ...draft, name: change.name }
    case 'choose':
      return { ...draft, chosen: change.chosen }
    case 'correct':
      return { ...draft, before: draft.corrected, corrected: { ...draft.corrected, ...change.settings } }
    case 'undoCorrections':
      return { ...draft, before: draft.corrected, corrected: NONE }
    case 'edit':
      return { ...draft, edits: editReducer(draft.edits, change.action) }
  }
}

/** Keeps what was decided about each table, by its upload, while another one is looked at. */
export const draftsReducer = (
  drafts: TableDrafts,
  { upload, change }: { upload: string; change: DraftChange },
): TableDrafts => new Map(drafts).set(upload, changed(draftOf(drafts, upload), change))
