import { Alert, Button, FileButton, List, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { use, useState } from 'react'
import { pluralize } from './describe-grouping'
import { importGrouping, previewGroupingImport } from './queries'
import { FormError } from '../../ui/forms/form-error'
import type { Grouping, GroupingImportResult } from '../../../src/shared/groupings/groupings'
import type { GroupingEditorContext } from './grouping-draft'
import { FormFooter } from '../../ui/forms/form-footer'
import { Dialog, LeaveDialogContext } from '../../ui/dialog'

const ERRORS_SHOWN = 8

interface ImportGroupingProps extends GroupingEditorContext {
  onSaved: (saved: Grouping) => void
  onClose: () => void
}

/** A list of groups and members: looked at first, taken over when it is right. */
export const ImportGroupingDialog = (props: ImportGroupingProps) => (
  <Dialog opened onClose={props.onClose} title="Import groups" size="lg">
    <ImportGroupingForm {...props} />
  </Dialog>
)

function ImportGroupingForm(props: ImportGroupingProps) {
  const { grouping, at, onSaved, onClose } = props
  const [csv, setCsv] = useState('')
  const list = { csv, version: grouping.version, era: at }
  const preview = useMutation({ mutationFn: () => previewGroupingImport(grouping.id, list) })
  const importing = useMutation({
    mutationFn: () => importGrouping(grouping.id, list),
    onSuccess: (answer) => {
      if (answer.grouping === null) return
      onSaved(answer.grouping)
      notifications.show({ color: 'green', message: 'Groups imported' })
      onClose()
    },
  })
  const leave = use(LeaveDialogContext)
  const change = (text: string): void => {
    setCsv(text)
    preview.reset()
    importing.reset()
  }
  const outcome = importing.data ?? preview.data
  const isPreviewed = outcome !== undefined && outcome.errors.length === 0
  return (
    <Stack gap="md">
      <Text size="sm">Group and value per line; subgroups as Europe &gt; Nordics.</Text>
      <Textarea
        aria-label="Groups and values"
        placeholder={'Nordics;Sweden\nNordics;Norway'}
        rows={8}
        value={csv}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <FormError error={importing.error ?? preview.error} />
      {outcome && <ImportOutcome outcome={outcome} />}
      <FormFooter
        aside={
          <FileButton accept=".csv,.txt,text/csv" onChange={(file) => void file?.text().then(change)}>
            {(open) => (
              <Button variant="default" {...open}>
                Choose file
              </Button>
            )}
          </FileButton>
        }
      >
        <Button variant="default" onClick={() => leave(onClose)}>
          Cancel
        </Button>
        <Button
          loading={importing.isPending || preview.isPending}
          disabled={csv.trim() === ''}
          // The second click of a double click on “Preview” is no yes to what it shows.
          onClick={({ detail }) => (isPreviewed ? detail < 2 && importing.mutate() : preview.mutate())}
        >
          {isPreviewed ? 'Import groups' : 'Preview'}
        </Button>
      </FormFooter>
    </Stack>
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
