import { useFormat } from './format'
import { KEEP_KINDS, KIND_WORDS, pickedList, roomWords } from './freezes'
import type { KeepChoice, KeepKind } from './freezes'
import { KeepPicker } from '../ui/keep-picker'
import type { Freezes } from '../../src/shared/subscription'

export interface FreezePickersProps {
  freezes: Freezes
  choice: KeepChoice
  onChange: (choice: KeepChoice) => void
}

/** Of every kind there is too much of, chooses what stays. */
export const FreezePickers = (props: FreezePickersProps) =>
  KEEP_KINDS.map((kind) => <Picker key={kind} kind={kind} {...props} />)

function Picker({ kind, freezes, choice, onChange }: FreezePickersProps & { kind: KeepKind }) {
  const format = useFormat()
  const list = pickedList(kind, freezes, choice)
  if (!list) return null
  return (
    <KeepPicker
      title={KIND_WORDS[kind].title}
      sentence={roomWords(kind, list.max)}
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
