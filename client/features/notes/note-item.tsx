import { MoreMenu } from '../../ui/buttons/more-menu'
import { Anchor, Text, Group } from '@mantine/core'
import { IconPencil, IconPin, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { parseNote } from './parse-note'
import type { Note, UpdateNoteInput } from '../../../src/shared/notes'
import { useFormat } from '../../lib/format'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { notifyError } from '../../ui/notify-error'
import { PersonAvatar } from '../../ui/person-avatar'
import { EditNoteForm } from './note-form'
import classes from './notes.module.css'
import { MutedText } from '../../ui/muted-text'

/** What somebody wrote: lines as they were typed, addresses as links, people by name. */
function NoteText({ body, names }: { body: string; names: readonly string[] }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parseNote(body, names).map((piece, at) => {
        if (piece.kind === 'link')
          return (
            <Anchor
              key={at}
              href={piece.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              inherit
              underline="always"
            >
              {piece.text}
            </Anchor>
          )
        return piece.kind === 'person' ? <b key={at}>{piece.text}</b> : piece.text
      })}
    </Text>
  )
}

interface NoteItemProps {
  note: Omit<Note, 'insightId' | 'bucket'>
  /** The unit that it is pinned to, in words; null for a comment. */
  pinnedTo: string | null
  readOnly: boolean
  /** More about it, beside its date. */
  aside?: string | undefined
  isDone?: boolean
  onSave: (input: UpdateNoteInput) => Promise<void>
  onDelete: () => Promise<void>
}

/** What somebody wrote, and what they and administrators can do with it. */
export function NoteItem({ note, pinnedTo, readOnly, aside, isDone = false, onSave, onDelete }: NoteItemProps) {
  const format = useFormat()
  const [editing, setEditing] = useState(false)
  const [mayEdit, mayDelete] = [note.mayEdit && !readOnly, note.mayDelete && !readOnly]
  return (
    <li className={classes.note} id={`note-${note.id}`} data-done={isDone || undefined}>
      <PersonAvatar name={note.authorName} picture={note.authorAvatar} size={28} />
      <div className={classes.said}>
        <Group gap={8} wrap="wrap">
          <Text size="sm" fw={600}>
            {note.authorName}
          </Text>
          <MutedText size="xs">
            {format.dateTime(note.createdAt)}
            {note.editedAt !== null && ', edited'}
            {aside !== undefined && `, ${aside}`}
          </MutedText>
          {pinnedTo !== null && (
            <span className={classes.pin}>
              <IconPin size={12} aria-hidden />
              {pinnedTo}
            </span>
          )}
        </Group>
        {editing ? (
          <EditNoteForm note={note} onSave={onSave} onDone={() => setEditing(false)} />
        ) : (
          <NoteText body={note.body} names={note.mentions.map(({ name }) => name)} />
        )}
      </div>
      {!editing && (
        <MoreMenu
          label={`Actions for comment by ${note.authorName}`}
          items={[
            mayEdit && { label: 'Edit', icon: IconPencil, onClick: () => setEditing(true) },
            mayDelete && {
              label: 'Delete',
              icon: IconTrash,
              color: 'red',
              onClick: () => confirmDelete(pinnedTo !== null, onDelete),
            },
          ]}
        />
      )}
    </li>
  )
}

const confirmDelete = (isPinned: boolean, onDelete: () => Promise<void>): void =>
  confirmDestructive({
    title: isPinned ? 'Delete note?' : 'Delete comment?',
    message: 'It can’t be restored.',
    confirm: 'Delete',
    onConfirm: () => onDelete().catch(notifyError),
  })
