import { Combobox, InputBase, useCombobox } from '@mantine/core'
import { useState } from 'react'
import type { Editing } from './grouping-editor'
import { newGroupId } from './new-group-id'
import { nameKey } from '../../../src/shared/names'
import { pathsOf } from '../../../src/shared/grouping-tree'

const NEW = 'new'
const NONE = 'none'

/** Puts chosen values into a group: one that is there, a new one by the name that is typed, or none. */
export function MoveTo({ era, at, act, values, onMoved }: Editing & { values: string[]; onMoved: () => void }) {
  const combobox = useCombobox()
  const [text, setText] = useState('')
  const wanted = nameKey(text)
  const paths = [...pathsOf(era.groups).entries()].map(([id, path]) => ({
    id,
    label: path.map(({ name }) => name).join(' › '),
    name: path.at(-1)?.name ?? '',
  }))
  const found = paths.filter(({ label }) => nameKey(label).includes(wanted))
  const isNew = wanted !== '' && !paths.some(({ name }) => nameKey(name) === wanted)
  const move = (to: string): void => {
    const id = to === NEW ? newGroupId() : to
    if (to === NEW) act({ kind: 'addGroup', at, id, name: text.trim(), parentId: null, values })
    else act({ kind: 'move', at, values, to: to === NONE ? null : to })
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
          {isNew && <Combobox.Option value={NEW}>New group “{text.trim()}”</Combobox.Option>}
          {wanted === '' && <Combobox.Option value={NONE}>No group</Combobox.Option>}
          {wanted === '' && paths.length === 0 && <Combobox.Empty>Type the name of a new group.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
