import type { DraftDataset, FilterDraft } from './draft'

export interface FilterEditorProps {
  filter: FilterDraft
  dataset: DraftDataset
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}
