import { Combobox, Textarea, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { NOTE_MAX_CHARS } from '../../../src/shared/notes'
import { PersonAvatar } from '../../ui/person-avatar'
import { mentionAtCursor } from './note-pieces'
import { mentionableMembersQuery } from './queries'

export interface MentionedPerson {
  userId: string
  name: string
}
interface MentionTextareaProps {
  label: string
  value: string
  error: ReactNode
  onChange: (text: string) => void
  /** Somebody was chosen from the list after an @. */
  onMention: (mentionedPerson: MentionedPerson) => void
}

/** Several lines of plain text; an @ offers the members of the workspace. */
export function MentionTextarea({ label, value, error, onChange, onMention }: MentionTextareaProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [mention, setMention] = useState<{ from: number; typed: string } | null>(null)
  const [q] = useDebouncedValue(mention?.typed.trim() ?? '', 200)
  const people = useQuery({ ...mentionableMembersQuery(q), enabled: mention !== null })
  const found = mention === null ? [] : (people.data ?? [])

  const updateMention = (text: string, cursor: number): void => {
    const next = mentionAtCursor(text, cursor)
    setMention(next)
    if (next) combobox.openDropdown()
    else combobox.closeDropdown()
  }
  const choose = (userId: string): void => {
    const person = found.find((one) => one.userId === userId)
    if (!person || !mention) return
    const end = mention.from + 1 + mention.typed.length
    onChange(`${value.slice(0, mention.from)}@${person.name} ${value.slice(end)}`)
    onMention({ userId, name: person.name })
    setMention(null)
    combobox.closeDropdown()
    area.current?.focus()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
      <Combobox.DropdownTarget>
        <Combobox.EventsTarget withAriaAttributes={false}>
          <Textarea
            ref={area}
            label={label}
            placeholder="Write in plain text. @ names a colleague, who gets a mail."
            rows={3}
            resize="vertical"
            maxLength={NOTE_MAX_CHARS}
            value={value}
            error={error}
            onChange={(event) => {
              onChange(event.currentTarget.value)
              updateMention(event.currentTarget.value, event.currentTarget.selectionStart)
            }}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.EventsTarget>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={found.length === 0}>
        <Combobox.Options aria-label="Members">
          {found.map(({ userId, name, avatar }) => (
            <Combobox.Option key={userId} value={userId}>
              <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
                <PersonAvatar name={name} picture={avatar} size={22} />
                {name}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
