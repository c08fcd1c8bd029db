import { Alert, Button, FileButton, List, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { pluralize } from './describe-grouping'
import { importGrouping } from './queries'
import { FormError } from '../../ui/forms/form-error'
import type { Grouping, GroupingImportResult } from '../../../src/shared/groupings/groupings'
import type { GroupingEditorContext } from './grouping-draft'
import { FormFooter } from '../../ui/forms/form-footer'
import { Dialog } from '../../ui/dialog'

const ERRORS_SHOWN = 8

/** A list of groups and members: looked at first, taken over when it is right. */
export function ImportGroupingDialog(
  props: GroupingEditorContext & { onSaved: (saved: Grouping) => void; onClose: () => void },
) {
  const { grouping, at, onSaved, onClose } = props
  const [csv, setCsv] = useState('')
  const importing = useMutation({
    mutationFn: (dryRun: boolean) => importGrouping(grouping.id, { csv, dryRun, version: grouping.version, era: at }),
    onSuccess: (answer) => {
      if (answer.grouping === null) return
      onSaved(answer.grouping)
      notifications.show({ color: 'green', message: 'Groups imported' })
      onClose()
    },
  })
  const outcome = importing.data
  const isPreviewed = outcome !== undefined && outcome.errors.length === 0 && outcome.dryRun
  return (
    <Dialog opened onClose={onClose} title="Import groups" size="lg">
      <Stack gap="md">
        <Text size="sm">Group and value per line; subgroups as Europe &gt; Nordics.</Text>
        <Textarea
          aria-label="Groups and values"
          placeholder={'Nordics;Sweden\nNordics;Norway'}
          rows={8}
          value={csv}
          onChange={(event) => {
            setCsv(event.currentTarget.value)
            importing.reset()
          }}
        />
        {importing.error && <FormError error={importing.error} />}
        {outcome && <ImportOutcome outcome={outcome} />}
        <FormFooter
          aside={
            <FileButton
              accept=".csv,.txt,text/csv"
              onChange={(file) => {
                importing.reset()
                void file?.text().then(setCsv)
              }}
            >
              {(open) => (
                <Button variant="default" {...open}>
                  Choose file
                </Button>
              )}
            </FileButton>
          }
        >
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={importing.isPending}
            disabled={csv.trim() === ''}
            onClick={() => importing.mutate(!isPreviewed)}
          >
            {isPreviewed ? 'Import groups' : 'Preview'}
          </Button>
        </FormFooter>
      </Stack>
    </Dialog>
  )
}

function ImportOutcome({ outcome }: { outcome: GroupingImportResult }) {
  const { errors, lines, added, moved, groupsMade } = outcome
  if (errors.length === 0)
    return (
      <Alert color="green" role="status">
        {pluralize(lines, 'line', 'lines')}: {pluralize(added, 'value', 'values')} added, {moved} moved,{' '}
        {pluralize(groupsMade, 'group', 'groups')} created
      </Alert>
    )
  return (
    <Alert color="red" role="alert" title="Couldn’t import groups">
      <List size="sm">
        {errors.slice(0, ERRORS_SHOWN).map(({ line, message }) => (
          <List.Item key={line}>
            Line {line}: {message}
          </List.Item>
        ))}
      </List>
      {errors.length > ERRORS_SHOWN && <Text size="sm">And {errors.length - ERRORS_SHOWN} more</Text>}
    </Alert>
  )
}
