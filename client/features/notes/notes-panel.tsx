import { QueryError } from '../../ui/query-view'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMessagePlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Note } from '../../../src/shared/notes'
import { useMay } from '../../lib/gate'
import { hasKeptDraft } from '../../lib/writes/kept-draft'
import { useSession } from '../../lib/session'
import type { ChartAnnotation, TimeAxis } from '../../ui/chart/annotations'
import { useCellFormatter } from '../../lib/cell-formatter'
import { SideButton, SideSection } from '../../ui/page-rail'
import { NewNoteForm, noteDraftName } from './note-form'
import { NoteItem } from './note-item'
import classes from './notes.module.css'
import { deleteNote, notesQuery, updateNote } from './queries'

const NO_NOTES: readonly Note[] = []
const ANNOTATION_TEXT_MAX_CHARS = 120
const truncateText = (text: string): string =>
  text.length > ANNOTATION_TEXT_MAX_CHARS ? `${text.slice(0, ANNOTATION_TEXT_MAX_CHARS)}…` : text

export function useNoteAnnotations(insightId: string): ChartAnnotation[] {
  const notes = useQuery(notesQuery(insightId)).data ?? NO_NOTES
  return useMemo(
    () =>
      notes.flatMap(({ bucket, body, authorName }) =>
        bucket ? [{ start: bucket.start, kind: 'note' as const, text: `${authorName}: ${truncateText(body)}` }] : [],
      ),
    [notes],
  )
}

const NOTES_SHOWN_MAX = 20

export function NotesPanel({ insightId, axis }: { insightId: string; axis: TimeAxis | null }) {
  const notes = useQuery(notesQuery(insightId))
  const [showsAll, setShowsAll] = useState(false)
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  // What is frozen can still be talked about.
  const may = useMay('create:comment') && !readOnly
  const bucketLabel = useBucketLabel(axis)
  const all = notes.data ?? []
  const shown = showsAll ? all : all.slice(-NOTES_SHOWN_MAX)
  const [isWriting, setWriting] = useState(() => hasKeptDraft(noteDraftName(insightId)))
  const isEmpty = notes.data !== undefined && all.length === 0 && !isWriting
  return (
    <SideSection
      title="Notes and comments"
      isEmpty={isEmpty}
      action={
        isEmpty && may ? (
          <SideButton icon={IconMessagePlus} onClick={() => setWriting(true)}>
            Add note
          </SideButton>
        ) : undefined
      }
    >
      {notes.isPending && <Skeleton height={48} role="status" aria-label="Loading" />}
      {notes.error && !notes.data && <QueryError query={notes} />}
      {shown.length < all.length && (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
          Show {all.length - shown.length} earlier
        </Button>
      )}
      {shown.length > 0 && (
        <ul className={classes.list}>
          {shown.map((note) => (
            <NoteItem
              key={note.id}
              note={note}
              pinnedTo={note.bucket && bucketLabel(note.bucket)}
              readOnly={readOnly}
              onSave={(input) => updateNote(note, input)}
              onDelete={() => deleteNote(note)}
            />
          ))}
        </ul>
      )}
      {may && notes.data && <NewNoteForm insightId={insightId} axis={axis} />}
    </SideSection>
  )
}

/** A unit of time in words: as the axis calls it, or as one of its own kind. */
function useBucketLabel(axis: TimeAxis | null): (bucket: NonNullable<Note['bucket']>) => string {
  const format = useCellFormatter()
  return ({ start, grain }) =>
    axis?.buckets.find((bucket) => bucket.start === start)?.label ??
    format.label(start, { kind: 'dimension', type: 'date', format: { style: 'plain' }, grain })
}
