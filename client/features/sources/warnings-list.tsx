import { Alert, List, Text } from '@mantine/core'
import { IconBulb, IconInfoCircle } from '@tabler/icons-react'
import type { FileWarning } from '../../../src/shared/files'

/** What is worth knowing before loading. Money is only ever proposed. */
export function WarningsList({ warnings }: { warnings: FileWarning[] }) {
  const proposals = warnings.filter(({ code }) => code === 'currency_column')
  const notes = warnings.filter(({ code }) => code !== 'currency_column')
  return (
    <>
      {notes.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title="Worth a look" py="sm">
          <List size="sm" spacing={2}>
            {notes.map((note) => (
              <List.Item key={`${note.message}:${note.line ?? ''}:${note.column ?? ''}`}>
                {note.message}
                {note.line !== undefined && !/\bline\b/i.test(note.message) && ` Line ${note.line}.`}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {proposals.map((proposal) => (
        <Alert key={proposal.column ?? ''} color="accent" icon={<IconBulb aria-hidden />} py="sm">
          <Text size="sm">
            <strong>Only a proposal.</strong> {proposal.message}
          </Text>
        </Alert>
      ))}
    </>
  )
}
