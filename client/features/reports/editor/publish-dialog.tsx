import { Alert, Stack, Text, Textarea, UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublishProblem, Report } from '../../../../src/shared/reports/reports'
import { ApiError } from '../../../lib/api'
import { FormError } from '../../../ui/forms/form-error'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { publishProblemsOf, publishReport } from '../queries'
import classes from './editor.module.css'

interface PublishDialogProps {
  report: Report
  /** Waits until everything is saved; null when it could not be. */
  flush: () => Promise<Report | null>
  onPublished: (report: Report) => void
  onProblems: (problems: readonly PublishProblem[]) => void
  /** Leads to the block that stands in the way. */
  onGoTo: (block: string) => void
  onClose: () => void
}

const problemsOf = (error: unknown): PublishProblem[] =>
  error instanceof ApiError ? publishProblemsOf(error.body) : []

/** Makes the draft what readers see, with a note; or says what stands in the way. */
export function PublishDialog(props: PublishDialogProps) {
  const { report, flush, onPublished, onProblems, onGoTo, onClose } = props
  const [note, setNote] = useState('')
  const publish = useMutation({
    mutationFn: async () => {
      const saved = await flush()
      if (!saved) throw new Error('The draft is not saved.')
      return publishReport({ id: saved.id, version: saved.version, note: note.trim() })
    },
    onSuccess: (done) => {
      notifications.show({ message: 'Report published' })
      onPublished(done)
    },
    onError: (error) => onProblems(problemsOf(error)),
  })
  const problems = problemsOf(publish.error)
  return (
    <FormDialog
      title="Publish report"
      submit="Publish report"
      pending={publish.isPending}
      onSubmit={() => publish.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        {report.publication === 0 ? 'Everyone in the workspace can see it.' : 'Replaces what readers see now.'}
      </Text>
      <Textarea
        label="Note"
        placeholder="What’s different, for the history"
        value={note}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {problems.length > 0 ? (
        <Alert color="red" role="alert" title="Fix these first">
          <Stack gap={0}>
            {problems.map(({ block, message }) => (
              <UnstyledButton key={`${block}/${message}`} className={classes.problem} onClick={() => onGoTo(block)}>
                {message}
              </UnstyledButton>
            ))}
          </Stack>
        </Alert>
      ) : (
        <FormError error={publish.error} />
      )}
    </FormDialog>
  )
}
