import type { BuilderDataset } from './fields'
import type { FilterDraft } from './filter-draft'

export interface FilterEditorProps {
  filter: FilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}
