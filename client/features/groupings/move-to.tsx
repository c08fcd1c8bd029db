import { Combobox, InputBase, useCombobox } from '@mantine/core'
import { useState } from 'react'
import type { GroupingEditorContext } from './grouping-editor'
import { newGroupId } from './new-group-id'
import { nameKey } from '../../../src/shared/names'
import { groupPaths } from '../../../src/shared/grouping-tree'

const NEW_GROUP = 'new'
const NO_GROUP = 'none'

/** Puts chosen values into a group: one that is there, a new one by the name that is typed, or none. */
export function MoveToGroup({
  validityPeriod,
  at,
  act,
  values,
  onMoved,
}: GroupingEditorContext & { values: string[]; onMoved: () => void }) {
  const combobox = useCombobox()
  const [text, setText] = useState('')
  const wanted = nameKey(text)
  const paths = [...groupPaths(validityPeriod.groups).entries()].map(([id, path]) => ({
    id,
    label: path.map(({ name }) => name).join(' › '),
    name: path.at(-1)?.name ?? '',
  }))
  const found = paths.filter(({ label }) => nameKey(label).includes(wanted))
  const isNew = wanted !== '' && !paths.some(({ name }) => nameKey(name) === wanted)
  const move = (to: string): void => {
    const id = to === NEW_GROUP ? newGroupId() : to
    if (to === NEW_GROUP) act({ kind: 'addGroup', at, id, name: text.trim(), parentId: null, values })
    else act({ kind: 'move', at, values, to: to === NO_GROUP ? null : to })
    setText('')
    combobox.closeDropdown()
    onMoved()
  }
  const disabled = values.length === 0
  return (
    <Combobox store={combobox} onOptionSubmit={move}>
      <Combobox.Target>
        <InputBase
          size="xs"
          aria-label="Move to a group"
          placeholder="Move to a group…"
          value={text}
          disabled={disabled}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {found.map(({ id, label }) => (
            <Combobox.Option key={id} value={id}>
              {label}
            </Combobox.Option>
          ))}
          {isNew && <Combobox.Option value={NEW_GROUP}>New group “{text.trim()}”</Combobox.Option>}
          {wanted === '' && <Combobox.Option value={NO_GROUP}>No group</Combobox.Option>}
          {wanted === '' && paths.length === 0 && <Combobox.Empty>Type the name of a new group.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
