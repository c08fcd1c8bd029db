import type { DraftDataset } from './fields'
import type { FilterDraft } from './filter-draft'

export interface FilterEditorProps {
  filter: FilterDraft
  dataset: DraftDataset
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}
