import { Alert, Button, FileButton, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Editing } from './grouping-editor'
import { countWords } from './grouping-words'
import { importGrouping } from './queries'
import { FormError } from '../../ui/form-error'
import type { Grouping, ImportGroupingAnswer } from '../../../src/shared/groupings'

const ERRORS_SHOWN = 8

/** A list of groups and members: looked at first, taken over when it is right. */
export function ImportDialog(props: Editing & { onSaved: (saved: Grouping) => void; onClose: () => void }) {
  const { grouping, at, onSaved, onClose } = props
  const [csv, setCsv] = useState('')
  const reading = useMutation({
    mutationFn: (dryRun: boolean) => importGrouping(grouping.id, { csv, dryRun, version: grouping.version, era: at }),
    onSuccess: (answer) => {
      if (answer.grouping === null) return
      onSaved(answer.grouping)
      notifications.show({ color: 'green', message: 'Groups read and saved.' })
      onClose()
    },
  })
  const outcome = reading.data
  const isLooked = outcome !== undefined && outcome.errors.length === 0 && outcome.dryRun
  return (
    <Modal opened onClose={onClose} title="Read groups from a CSV" size="lg">
      <Stack gap="md">
        <Text size="sm">
          One value on each line: the group, then the value. A group within another is written Europe &gt; Nordics, as
          in the file that you download here.
        </Text>
        <Textarea
          aria-label="Lines of groups and values"
          placeholder={'Nordics;Sweden\nNordics;Norway'}
          rows={8}
          value={csv}
          onChange={(event) => {
            setCsv(event.currentTarget.value)
            reading.reset()
          }}
        />
        {reading.error && <FormError error={reading.error} />}
        {outcome && <Outcome outcome={outcome} />}
        <Group>
          <FileButton
            accept=".csv,.txt,text/csv"
            onChange={(file) => {
              reading.reset()
              void file?.text().then(setCsv)
            }}
          >
            {(open) => (
              <Button variant="default" {...open}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Group ml="auto">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={reading.isPending} disabled={csv.trim() === ''} onClick={() => reading.mutate(!isLooked)}>
              {isLooked ? 'Take over and save' : 'Look at it'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}

function Outcome({ outcome }: { outcome: ImportGroupingAnswer }) {
  const { errors, lines, added, moved, groupsMade } = outcome
  if (errors.length === 0)
    return (
      <Alert color="green" role="status">
        {countWords(lines, 'line', 'lines')}: {countWords(added, 'value comes', 'values come')} to a group,{' '}
        {countWords(moved, 'changes its own', 'change theirs')}, {countWords(groupsMade, 'group is', 'groups are')}{' '}
        made.
      </Alert>
    )
  return (
    <Alert color="red" role="alert" title="Some lines cannot be read. Nothing was changed.">
      <List size="sm">
        {errors.slice(0, ERRORS_SHOWN).map(({ line, message }) => (
          <List.Item key={line}>
            Line {line}: {message}
          </List.Item>
        ))}
      </List>
      {errors.length > ERRORS_SHOWN && <Text size="sm">And {errors.length - ERRORS_SHOWN} more.</Text>}
    </Alert>
  )
}
