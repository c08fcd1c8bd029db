import { Combobox, Textarea, useCombobox, Button, Group, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { NOTE_MAX_CHARS, type Note, type UpdateNoteInput } from '../../../src/shared/notes'
import { PersonAvatar } from '../../ui/person-avatar'
import { mentionAtCursor } from './parse-note'
import { mentionableMembersQuery, createNote } from './queries'
import type { TimeAxis } from '../../ui/chart/annotations'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { fieldErrors, FormError } from '../../ui/forms/form-error'

export interface MentionedPerson {
  userId: string
  name: string
}
interface MentionTextareaProps {
  label: string
  value: string
  error: ReactNode
  onChange: (text: string) => void
  onMention: (person: MentionedPerson) => void
  /** Ctrl+Enter. */
  onSubmit?: () => void
  /** Has the focus when its dialog opens. */
  isFirst?: boolean
}

/** Several lines of plain text; an @ offers the members of the workspace. */
export function MentionTextarea({ label, value, error, onChange, onMention, onSubmit, isFirst }: MentionTextareaProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [mention, setMention] = useState<{ from: number; typed: string } | null>(null)
  const [q] = useDebouncedValue(mention?.typed.trim() ?? '', 200)
  const people = useQuery({ ...mentionableMembersQuery(q), enabled: mention !== null })
  const found = mention === null ? [] : (people.data ?? [])

  // Enter takes the first one that is offered, as everywhere people are mentioned.
  const offered = found.map(({ userId }) => userId).join(' ')
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (offered !== '') selectFirstOption()
  }, [offered, selectFirstOption])

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
            placeholder="Use @ to notify a colleague."
            rows={3}
            resize="vertical"
            maxLength={NOTE_MAX_CHARS}
            value={value}
            error={error}
            onChange={(event) => {
              onChange(event.currentTarget.value)
              updateMention(event.currentTarget.value, event.currentTarget.selectionStart)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.()
            }}
            data-autofocus={isFirst || undefined}
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

/** By what a half-written note is kept. */
export const noteDraftName = (insightId: string): string => `note:${insightId}`

/** People who were chosen, and whose name still stands in the text. */
export const mentionedUserIds = (text: string, people: readonly MentionedPerson[]): string[] => [
  ...new Set(people.filter(({ name }) => text.includes(`@${name}`)).map(({ userId }) => userId)),
]

interface NewNoteFormProps {
  insightId: string
  /** The units that a note can be pinned to; null for an answer without time. */
  axis: TimeAxis | null
}

export function NewNoteForm({ insightId, axis }: NewNoteFormProps) {
  const [text, setText] = useState('')
  const [people, setPeople] = useState<MentionedPerson[]>([])
  const [start, setStart] = useState('')
  const draft = useKeptDraft({
    ...{ name: noteDraftName(insightId), value: { text, people, start }, isDirty: text.trim() !== '' },
    apply: (kept) => {
      setText(kept.text)
      setPeople(kept.people)
      setStart(kept.start)
    },
    reset: () => setText(''),
  })
  const writing = useMutation({
    mutationFn: () =>
      createNote(insightId, {
        body: text,
        bucket: axis && start !== '' ? { start, grain: axis.grain } : null,
        mentions: mentionedUserIds(text, people),
      }),
    onSuccess: () => {
      draft.clear()
      setText('')
      setPeople([])
      setStart('')
    },
  })
  const fields = fieldErrors(writing.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        writing.mutate()
      }}
    >
      <Stack gap="xs">
        <MentionTextarea
          label="Your comment"
          value={text}
          error={fields?.['body'] ?? fields?.['mentions']}
          onChange={setText}
          onMention={(person) => setPeople([...people, person])}
        />
        {fields === null && <FormError error={writing.error} />}
        <Group justify="space-between" gap="xs" align="flex-end">
          {axis ? <BucketSelect axis={axis} start={start} onStart={setStart} /> : <span />}
          <Button type="submit" loading={writing.isPending} disabled={text.trim() === ''}>
            {start === '' ? 'Post comment' : 'Pin note'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function BucketSelect({ axis, start, onStart }: { axis: TimeAxis; start: string; onStart: (start: string) => void }) {
  const units = axis.buckets.toReversed().map((bucket) => ({ value: bucket.start, label: bucket.label }))
  return (
    <Select
      size="xs"
      label="About"
      style={{ flex: '0 1 14rem' }}
      data={[{ value: '', label: 'The whole insight' }, ...units]}
      value={start}
      searchable={units.length > 12}
      onChange={(value) => onStart(value ?? '')}
    />
  )
}

interface EditNoteFormProps {
  note: Pick<Note, 'body' | 'mentions' | 'version'>
  onSave: (input: UpdateNoteInput) => Promise<void>
  onDone: () => void
}

export function EditNoteForm({ note, onSave, onDone }: EditNoteFormProps) {
  const [text, setText] = useState(note.body)
  const [people, setPeople] = useState<MentionedPerson[]>(note.mentions)
  const saving = useMutation({
    mutationFn: () => onSave({ body: text, mentions: mentionedUserIds(text, people), version: note.version }),
    onSuccess: onDone,
  })
  const fields = fieldErrors(saving.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack gap="xs">
        <MentionTextarea
          label="Edit comment"
          value={text}
          error={fields?.['body'] ?? fields?.['mentions']}
          onChange={setText}
          onMention={(person) => setPeople([...people, person])}
        />
        {fields === null && <FormError error={saving.error} />}
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button size="xs" type="submit" loading={saving.isPending} disabled={text.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
