import { Alert, Button, Collapse, Group, List, Text, Textarea, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { parsePaste } from '../../../src/shared/target-paste'
import type { PasteError } from '../../../src/shared/target-paste'
import { useSession } from '../../lib/session'
import { applyPaste } from './draft'
import type { TargetDraft } from './draft'

const PASTE_ERRORS_SHOWN_MAX = 8

/** Figures copied from a spreadsheet or a CSV; nothing is taken over while a line cannot be read. */
export function PasteTargets({ draft, onChange }: { draft: TargetDraft; onChange: (next: TargetDraft) => void }) {
  const fiscalYearStart = useSession().workspace?.settings.fiscalYearStart ?? 1
  const [opened, disclosure] = useDisclosure(false)
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<PasteError[]>([])
  const byMember = draft.by !== null
  const applyText = (): void => {
    const pasted = parsePaste(text, { grain: draft.grain, fiscalYearStart, byMember })
    setFaults(pasted.faults)
    if (pasted.faults.length > 0) return
    onChange(applyPaste(draft, pasted))
    setText('')
    const countText = pasted.cells.length === 1 ? '1 figure' : `${pasted.cells.length} figures`
    notifications.show({ color: 'green', message: `${countText} taken over. Save to keep.` })
  }
  return (
    <div>
      <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" aria-expanded={opened} onClick={disclosure.toggle}>
        {opened ? 'Do not paste' : 'Paste from a spreadsheet'}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Textarea
          mt="xs"
          label="Rows from a spreadsheet or a CSV"
          description={
            byMember
              ? 'Member, period and amount in each line, or a table with periods in its first line.'
              : 'A period and an amount in each line.'
          }
          placeholder={byMember ? 'North\tJan 2026\t120 000' : 'Jan 2026\t120 000\nFeb 2026\t135 500,50'}
          rows={6}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {faults.length > 0 && <PasteErrors faults={faults} />}
        <Group mt="xs">
          <Button variant="default" disabled={text.trim() === ''} onClick={applyText}>
            Take over
          </Button>
        </Group>
      </Collapse>
    </div>
  )
}

function PasteErrors({ faults }: { faults: readonly PasteError[] }) {
  const rest = faults.length - PASTE_ERRORS_SHOWN_MAX
  return (
    <Alert color="red" mt="xs" role="alert" title="Nothing was taken over">
      <List size="sm">
        {faults.slice(0, PASTE_ERRORS_SHOWN_MAX).map(({ line, message }, at) => (
          <List.Item key={at}>
            Line {line}: {message}
          </List.Item>
        ))}
      </List>
      {rest > 0 && <Text size="sm">And {rest} more.</Text>}
    </Alert>
  )
}
