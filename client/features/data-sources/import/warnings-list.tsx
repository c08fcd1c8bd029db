import { Alert, Button, List, Text } from '@mantine/core'
import { IconBulb, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileWarning } from '../../../../src/shared/data-sources/files'

/** Of one kind so many stand there at once; a ledger can have dozens that say the same. */
const SHOWN_PER_CODE = 3

/** The first notes of each kind, in their order. */
function firstOfEachCode(notes: readonly FileWarning[]): FileWarning[] {
  const counts = new Map<FileWarning['code'], number>()
  return notes.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    return count <= SHOWN_PER_CODE
  })
}

interface WarningsListProps {
  warnings: FileWarning[]
  /** Keeps a column, by its name, as text. Absent: nothing can be changed here. */
  onKeepText?: (column: string) => void
}

/** What is worth knowing before loading. Money is only ever proposed. */
export function WarningsList({ warnings, onKeepText }: WarningsListProps) {
  const proposals = warnings.filter(({ code }) => code === 'currency_column')
  const notes = warnings.filter(({ code }) => code !== 'currency_column')
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? notes : firstOfEachCode(notes)
  return (
    <>
      {notes.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title="Check before importing" py="sm">
          <List size="sm" spacing={2}>
            {shown.map((note) => (
              <List.Item key={`${note.message}:${note.line ?? ''}:${note.column ?? ''}`}>
                {note.message}
                {note.line !== undefined && !/\bline\b/i.test(note.message) && ` Line ${note.line}.`}
                {onKeepText && note.fix === 'text' && <KeepTextButton column={note.column ?? ''} onKeep={onKeepText} />}
              </List.Item>
            ))}
          </List>
          {notes.length > shown.length && (
            <Button size="compact-sm" variant="default" mt="xs" onClick={() => setOpen(true)}>
              Show {notes.length - shown.length} more
            </Button>
          )}
        </Alert>
      )}
      {proposals.map((proposal) => (
        <Alert key={proposal.column ?? ''} color="accent" icon={<IconBulb aria-hidden />} py="sm">
          <Text size="sm">
            <strong>Suggestion:</strong> {proposal.message}
          </Text>
        </Alert>
      ))}
    </>
  )
}

const KeepTextButton = ({ column, onKeep }: { column: string; onKeep: (column: string) => void }) => (
  <Button
    size="compact-xs"
    variant="light"
    ml={8}
    aria-label={`Keep “${column}” as text`}
    onClick={() => onKeep(column)}
  >
    Keep as text
  </Button>
)
