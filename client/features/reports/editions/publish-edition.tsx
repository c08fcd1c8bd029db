import { Alert, Radio, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EDITION_AUDIENCES, type Edition, type EditionAudience } from '../../../../src/shared/reports/editions'
import type { Report } from '../../../../src/shared/reports/reports'
import { ApiError } from '../../../lib/api'
import { useMay } from '../../../lib/gate'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { publishProblemsOf } from '../queries'
import { usePublishEdition } from './queries'

const AUDIENCES: Record<EditionAudience, { label: string; description: string }> = {
  sameRights: {
    label: 'People with the same data access as you',
    description: 'And people who can see all data.',
  },
  everyone: {
    label: 'Everyone who can open the report',
    description: 'Including figures that access rules hide from them.',
  },
}

interface PublishEditionProps {
  report: Report
  editions: readonly Edition[]
  onClose: () => void
}

const isAudience = (text: string): text is EditionAudience => EDITION_AUDIENCES.some((one) => one === text)

/** Freezes what is published, with a note where it corrects. */
export function PublishEdition({ report, editions, onClose }: PublishEditionProps) {
  const navigate = useNavigate()
  const [note, setNote] = useState('')
  const [audience, setAudience] = useState<EditionAudience>('sameRights')
  // To show figures that rules hide is for those who make the rules.
  const mayRelease = useMay('edit:access')
  const publish = usePublishEdition()
  const fields = fieldErrors(publish.error) ?? {}
  const problems = publish.error instanceof ApiError ? publishProblemsOf(publish.error.body) : []
  const submit = (): void =>
    publish.mutate(
      { report: report.id, publication: report.publication, note: note.trim(), audience },
      {
        onSuccess: ({ n }) => {
          notifications.show({ message: `Edition ${n} published` })
          void navigate({ to: '/reports/legacy/$id/editions/$n', params: { id: report.id, n: String(n) } })
        },
      },
    )
  return (
    <FormDialog
      title="Publish edition"
      submit="Publish edition"
      pending={publish.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">Freezes today’s figures of the published report. An edition can’t be changed or deleted.</Text>
      <Textarea
        label="Note"
        placeholder={editions.length > 0 ? 'What a correction changes' : 'Optional'}
        value={note}
        maxLength={500}
        autosize
        minRows={2}
        error={fields['note']}
        data-autofocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {mayRelease && (
        <Radio.Group
          label="Who can open it"
          value={audience}
          onChange={(value) => isAudience(value) && setAudience(value)}
        >
          <Stack gap="xs" mt="xs">
            {EDITION_AUDIENCES.map((one) => (
              <Radio key={one} value={one} {...AUDIENCES[one]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {problems.length > 0 ? (
        <Alert color="red" role="alert" title="Some blocks have no figures">
          {[...new Set(problems.map(({ message }) => message))].join(' ')} Edit the report, then publish again.
        </Alert>
      ) : (
        fields['note'] === undefined && <FormError error={publish.error} />
      )}
    </FormDialog>
  )
}
