import { Button, FileButton, Group as Row, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { countWords } from './group-words'
import { ImportOutcome } from './import-outcome'
import { useImport, useTryImport } from './queries'
import { LIST_MAX_CHARS, readList } from './read-list'
import { FormError } from '../../ui/form-error'

const EXAMPLE = 'Group;E-mail\nSales;anna@company.com\nSales;bo@company.com'

/** Adds people to groups from a list: first what would happen, line by line, then it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [csv, setCsv] = useState('')
  const attempt = useTryImport()
  const real = useImport()
  const plan = attempt.data
  const add = () =>
    real.mutate(
      { csv, dryRun: false },
      {
        onSuccess: ({ added, groupsMade }) => {
          const made = groupsMade === 0 ? '' : groupsMade === 1 ? ' and 1 group made' : ` and ${groupsMade} groups made`
          notifications.show({ color: 'green', message: `${countWords(added)} added${made}.` })
          onClose()
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title="Import people into groups" size="lg">
      <Stack gap="md">
        <FormError error={real.error ?? attempt.error} />
        {plan ? (
          <ImportOutcome plan={plan} pending={real.isPending} onAdd={add} onBack={attempt.reset} />
        ) : (
          <ListForm {...{ csv, setCsv, pending: attempt.isPending }} onCheck={() => attempt.mutate(csv)} />
        )}
      </Stack>
    </Modal>
  )
}

interface ListFormProps {
  csv: string
  setCsv: (csv: string) => void
  pending: boolean
  onCheck: () => void
}

function ListForm({ csv, setCsv, pending, onCheck }: ListFormProps) {
  const long = csv.length > LIST_MAX_CHARS
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!long && csv.trim() !== '') onCheck()
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
          error={long && 'At most 200,000 characters. Split the list.'}
          onChange={(event) => setCsv(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Row justify="space-between">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={(file) => {
              if (file) void readList(file).then(setCsv)
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                Choose a CSV file
              </Button>
            )}
          </FileButton>
          <Button type="submit" loading={pending} disabled={long || csv.trim() === ''}>
            Check the list
          </Button>
        </Row>
      </Stack>
    </form>
  )
}
