import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Insight } from '../../../../src/shared/insights'
import type { Report } from '../../../../src/shared/reports/reports'
import { FormError } from '../../../ui/forms/form-error'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { createReport, reportQuery, reportsQuery, saveDraft } from '../queries'
import { addBlock, type ReportDocument } from './document'
import { newLocalId } from './local-id'

const NEW = 'new'

interface AddToReportProps {
  insight: Pick<Insight, 'id' | 'name'>
  onClose: () => void
}

/** An insight becomes a block at the end of a page: of a report there is, or of a new one. */
export function AddToReport({ insight, onClose }: AddToReportProps) {
  const navigate = useNavigate()
  const list = useInfiniteQuery(reportsQuery({ kind: 'interactive' }))
  const reports = list.data?.pages.flatMap((page) => page.items) ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [page, setPage] = useState<string | null>(null)
  const [name, setName] = useState(insight.name)
  const target = chosen ?? reports[0]?.id ?? NEW
  const report = useQuery({ ...reportQuery(target), enabled: target !== NEW })
  const pages = target === NEW ? [] : (report.data?.draft?.pages ?? [])
  const add = useMutation({
    mutationFn: async (): Promise<Report> => {
      const into =
        target === NEW ? await createReport({ kind: 'interactive', name: name.trim(), template: 'blank' }) : report.data
      if (!into?.draft) throw new Error('The report has no draft.')
      const document: ReportDocument = { name: into.name, description: into.description, content: into.draft }
      const onPage = into.draft.pages.find(({ id }) => id === page)?.id ?? into.draft.pages[0]?.id ?? ''
      const block = { kind: 'insight' as const, insight: insight.id, chart: null, title: '' }
      return saveDraft(into.id, { ...addBlock(document, onPage, block, newLocalId()), version: into.version })
    },
    onSuccess: (saved) => {
      onClose()
      notifications.show({ message: <AddedNotice name={saved.name} onOpen={() => open(saved)} /> })
    },
  })
  const open = ({ id }: Report): void =>
    void navigate({ to: '/reports/interactive/$id', params: { id }, search: { edit: true } })
  return (
    <FormDialog
      title="Add to report"
      submit="Add to report"
      pending={add.isPending}
      disabled={list.isPending || (target === NEW ? name.trim() === '' : pages.length === 0)}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Stack gap="md">
        <Select
          label="Report"
          searchable={reports.length > 8}
          data={[...reports.map((one) => ({ value: one.id, label: one.name })), { value: NEW, label: 'New report' }]}
          value={target}
          onChange={(value) => {
            setChosen(value)
            setPage(null)
          }}
        />
        {target === NEW && (
          <TextInput
            label="Name"
            value={name}
            maxLength={80}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {pages.length > 1 && (
          <Select
            label="Page"
            data={pages.map((one) => ({ value: one.id, label: one.name }))}
            value={page ?? pages[0]?.id ?? null}
            onChange={setPage}
          />
        )}
        <FormError error={add.error} />
      </Stack>
    </FormDialog>
  )
}

const AddedNotice = ({ name, onOpen }: { name: string; onOpen: () => void }) => (
  <Group justify="space-between" gap="sm">
    <Text size="sm">Added to the draft of “{name}”</Text>
    <Button size="compact-sm" variant="subtle" onClick={onOpen}>
      Open
    </Button>
  </Group>
)
