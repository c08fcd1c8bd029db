import { Button, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Note } from '../../../src/shared/notes'
import type { TimeAxis } from '../../ui/chart/marks'
import { fieldErrors, FormError } from '../../ui/form-error'
import { MentionTextarea } from './mention-area'
import type { MentionedPerson } from './mention-area'
import { createNote, updateNote } from './queries'

/** People who were chosen, and whose name still stands in the text. */
const mentionedUserIds = (text: string, people: readonly MentionedPerson[]): string[] => [
  ...new Set(people.filter(({ name }) => text.includes(`@${name}`)).map(({ userId }) => userId)),
]

interface NewNoteFormProps {
  insightId: string
  /** The units that a note can be pinned to; null for an answer without time. */
  axis: TimeAxis | null
}

/** Says something of the insight, or of one unit of its time axis. */
export function NewNoteForm({ insightId, axis }: NewNoteFormProps) {
  const [text, setText] = useState('')
  const [people, setPeople] = useState<MentionedPerson[]>([])
  const [start, setStart] = useState('')
  const writing = useMutation({
    mutationFn: () =>
      createNote(insightId, {
        body: text,
        bucket: axis && start !== '' ? { start, grain: axis.grain } : null,
        mentions: mentionedUserIds(text, people),
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
        <MentionTextarea
          label="Write a comment"
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
      allowDeselect={false}
      searchable={units.length > 12}
      onChange={(value) => onStart(value ?? '')}
    />
  )
}

/** One's own note, to be changed. */
export function EditNoteForm({ note, onDone }: { note: Note; onDone: () => void }) {
  const [text, setText] = useState(note.body)
  const [people, setPeople] = useState<MentionedPerson[]>(note.mentions)
  const saving = useMutation({
    mutationFn: () => updateNote(note, { body: text, mentions: mentionedUserIds(text, people), version: note.version }),
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
          label="Change what you wrote"
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
