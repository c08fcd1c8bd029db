import { Button, FileButton, Group as Row, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { formatPersonCount } from './group-words'
import { ImportPreview } from './import-outcome'
import { useImportMembers, usePreviewImport } from './queries'
import { LIST_MAX_CHARS, readListFile } from './read-list'
import { FormError } from '../../ui/form-error'

const EXAMPLE = 'Group;E-mail\nSales;anna@company.com\nSales;bo@company.com'

/** Adds people to groups from a list: first what would happen, line by line, then it. */
export function ImportMembersDialog({ onClose }: { onClose: () => void }) {
  const [csv, setCsv] = useState('')
  const preview = usePreviewImport()
  const importRun = useImportMembers()
  const plan = preview.data
  const add = () =>
    importRun.mutate(
      { csv, dryRun: false },
      {
        onSuccess: ({ added, groupsMade }) => {
          const made = groupsMade === 0 ? '' : groupsMade === 1 ? ' and 1 group made' : ` and ${groupsMade} groups made`
          notifications.show({ color: 'green', message: `${formatPersonCount(added)} added${made}.` })
          onClose()
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title="Import people into groups" size="lg">
      <Stack gap="md">
        <FormError error={importRun.error ?? preview.error} />
        {plan ? (
          <ImportPreview plan={plan} pending={importRun.isPending} onAdd={add} onBack={preview.reset} />
        ) : (
          <MemberListForm {...{ csv, setCsv, pending: preview.isPending }} onCheck={() => preview.mutate(csv)} />
        )}
      </Stack>
    </Modal>
  )
}

interface MemberListFormProps {
  csv: string
  setCsv: (csv: string) => void
  pending: boolean
  onCheck: () => void
}

function MemberListForm({ csv, setCsv, pending, onCheck }: MemberListFormProps) {
  const isTooLong = csv.length > LIST_MAX_CHARS
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLong && csv.trim() !== '') onCheck()
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          One person a line: the group, then the address. Groups that do not exist yet are made. Nothing is changed
          before you have seen what every line does.
        </Text>
        <Textarea
          data-autofocus
          label="List"
          placeholder={EXAMPLE}
          rows={8}
          value={csv}
          error={isTooLong && 'At most 200,000 characters. Split the list.'}
          onChange={(event) => setCsv(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Row justify="space-between">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={(file) => {
              if (file) void readListFile(file).then(setCsv)
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                Choose a CSV file
              </Button>
            )}
          </FileButton>
          <Button type="submit" loading={pending} disabled={isTooLong || csv.trim() === ''}>
            Check the list
          </Button>
        </Row>
      </Stack>
    </form>
  )
}
