import { Button, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Note } from '../../../src/shared/notes'
import type { TimeAxis } from '../../ui/chart/marks'
import { fieldErrors, FormError } from '../../ui/form-error'
import { MentionArea } from './mention-area'
import type { Person } from './mention-area'
import { createNote, updateNote } from './queries'

/** People who were chosen, and whose name still stands in the text. */
const namedIn = (text: string, people: readonly Person[]): string[] => [
  ...new Set(people.filter(({ name }) => text.includes(`@${name}`)).map(({ userId }) => userId)),
]

interface NewNoteProps {
  insightId: string
  /** The units that a note can be pinned to; null for an answer without time. */
  axis: TimeAxis | null
}

/** Says something of the insight, or of one unit of its time axis. */
export function NewNote({ insightId, axis }: NewNoteProps) {
  const [text, setText] = useState('')
  const [people, setPeople] = useState<Person[]>([])
  const [start, setStart] = useState('')
  const writing = useMutation({
    mutationFn: () =>
      createNote(insightId, {
        body: text,
        bucket: axis && start !== '' ? { start, grain: axis.grain } : null,
        mentions: namedIn(text, people),
      }),
    onSuccess: () => {
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
        <MentionArea
          label="Write a comment"
          value={text}
          error={fields?.['body'] ?? fields?.['mentions']}
          onChange={setText}
          onName={(person) => setPeople([...people, person])}
        />
        {fields === null && <FormError error={writing.error} />}
        <Group justify="space-between" gap="xs" align="flex-end">
          {axis ? <PinTo axis={axis} start={start} onStart={setStart} /> : <span />}
          <Button type="submit" loading={writing.isPending} disabled={text.trim() === ''}>
            {start === '' ? 'Post comment' : 'Pin note'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function PinTo({ axis, start, onStart }: { axis: TimeAxis; start: string; onStart: (start: string) => void }) {
  const units = axis.buckets.toReversed().map((bucket) => ({ value: bucket.start, label: bucket.label }))
  return (
    <Select
      size="xs"
      label="About"
      style={{ flex: '0 1 14rem' }}
      data={[{ value: '', label: 'The whole insight' }, ...units]}
      value={start}
      allowDeselect={false}
      searchable={units.length > 12}
      onChange={(value) => onStart(value ?? '')}
    />
  )
}

/** One's own note, to be changed. */
export function EditNote({ note, onDone }: { note: Note; onDone: () => void }) {
  const [text, setText] = useState(note.body)
  const [people, setPeople] = useState<Person[]>(note.mentions)
  const saving = useMutation({
    mutationFn: () => updateNote(note, { body: text, mentions: namedIn(text, people), version: note.version }),
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
        <MentionArea
          label="Change what you wrote"
          value={text}
          error={fields?.['body'] ?? fields?.['mentions']}
          onChange={setText}
          onName={(person) => setPeople([...people, person])}
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
