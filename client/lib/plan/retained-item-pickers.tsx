import { useFormat } from '../format'
import { RETAINED_KINDS, retainedKindTitle, selectableList, describeKindLimit } from './retained-items'
import type { RetainedChoice, RetainedKind } from './retained-items'
import { RetainedItemsPicker } from '../../ui/forms/retained-items-picker'
import type { OverLimitSummary } from '../../../src/shared/billing/subscription'

export interface RetainedItemPickersProps {
  freezes: OverLimitSummary
  choice: RetainedChoice
  onChange: (choice: RetainedChoice) => void
}

/** Of every kind there is too much of, chooses what stays. */
export const RetainedItemPickers = (props: RetainedItemPickersProps) =>
  RETAINED_KINDS.map((kind) => <RetainedKindPicker key={kind} kind={kind} {...props} />)

function RetainedKindPicker({ kind, freezes, choice, onChange }: RetainedItemPickersProps & { kind: RetainedKind }) {
  const format = useFormat()
  const list = selectableList(kind, freezes, choice)
  if (!list) return null
  return (
    <RetainedItemsPicker
      title={retainedKindTitle(kind)}
      sentence={describeKindLimit(kind, list.max)}
      max={list.max}
      items={list.items.map(({ id, name, createdAt, always = false }) => ({
        id,
        name,
        note: always ? 'Owner' : `Since ${format.day(createdAt)}`,
        fixed: always,
      }))}
      value={choice[kind]}
      onChange={(ids) => onChange({ ...choice, [kind]: ids })}
    />
  )
}
