import { Button, Stack, Text, FileButton, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { OUTCOME_LABELS } from './group-text'
import { formatPersonCount } from '../../../src/shared/figures/formatter'
import classes from './groups.module.css'
import { NeutralBadge } from '../../ui/neutral-badge'
import type { GroupImportResult, GroupImportLine } from '../../../src/shared/groups'
import { useImportMembers, usePreviewImport } from './queries'
import { FormError } from '../../ui/forms/form-error'
import { FormFooter } from '../../ui/forms/form-footer'
import { Dialog } from '../../ui/dialog'

/** So many characters of a list are taken at once. */
const LIST_MAX_CHARS = 200_000

/** The text of a list that a spreadsheet wrote: UTF-8, else the letters of older Windows programs. */
export async function readListFile(file: Pick<File, 'arrayBuffer'>): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface ImportPreviewProps {
  plan: GroupImportResult
  pending: boolean
  onAdd: () => void
  onBack: () => void
}

/** What would become of every line, before anything is changed. */
function ImportPreview({ plan, pending, onAdd, onBack }: ImportPreviewProps) {
  const { added, groupsMade, lines } = plan
  const faults = lines.filter(({ outcome }) => OUTCOME_LABELS[outcome].tone === 'bad').length
  const made = groupsMade === 0 ? '' : groupsMade === 1 ? ', 1 new group' : `, ${groupsMade} new groups`
  const left = faults === 0 ? '' : faults === 1 ? ', 1 line skipped' : `, ${faults} lines skipped`
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {added === 1 ? '1 member to add' : `${added} members to add`}
        {made}
        {left}
      </Text>
      <div className={classes.outcomes} tabIndex={0} role="region" aria-label="Preview">
        <ol>
          {lines.map((line) => (
            <ImportLineRow key={line.line} line={line} />
          ))}
        </ol>
      </div>
      <FormFooter>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button
          loading={pending}
          disabled={added === 0}
          // The second click of a double click on the preview is no yes to what it shows.
          onClick={({ detail }) => detail < 2 && onAdd()}
          data-autofocus
        >
          Add {formatPersonCount(added)}
        </Button>
      </FormFooter>
    </Stack>
  )
}

function ImportLineRow({ line: { line, group, email, outcome, newGroup } }: { line: GroupImportLine }) {
  const { words, tone } = OUTCOME_LABELS[outcome]
  return (
    <li className={classes.outcome}>
      <Text span size="xs" c="dimmed">
        Line {line}
      </Text>
      <span>
        <strong>{group === '' ? '–' : group}</strong> {newGroup && <NeutralBadge>New</NeutralBadge>}
        <br />
        {email === '' ? '–' : email}
      </span>
      <span className={classes[tone]}>{words}</span>
    </li>
  )
}

const EXAMPLE = 'Group;Email\nSales;anna@company.com\nSales;bo@company.com'

/** Adds people to groups from a list: first what would happen, line by line, then it. */
export function ImportMembersDialog({ onClose }: { onClose: () => void }) {
  const [csv, setCsv] = useState('')
  const preview = usePreviewImport()
  const importRun = useImportMembers()
  const plan = preview.data
  const add = () =>
    importRun.mutate(csv, {
      onSuccess: ({ added, groupsMade }) => {
        const made = groupsMade === 0 ? '' : groupsMade === 1 ? ', 1 group created' : `, ${groupsMade} groups created`
        notifications.show({ color: 'green', message: `${formatPersonCount(added)} added${made}` })
        onClose()
      },
    })
  return (
    <Dialog opened onClose={onClose} title="Import group members" size="lg">
      <Stack gap="md">
        <FormError error={importRun.error ?? preview.error} />
        {plan && <ImportPreview plan={plan} pending={importRun.isPending} onAdd={add} onBack={preview.reset} />}
        {/* It stays on the page under its preview: what was typed is not saved yet. */}
        <div hidden={plan !== undefined}>
          <MemberListForm {...{ csv, setCsv, pending: preview.isPending }} onCheck={() => preview.mutate(csv)} />
        </div>
      </Stack>
    </Dialog>
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
          One member per line with columns Group and Email. New groups are created. Preview before importing.
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
        <FormFooter
          aside={
            <FileButton
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              onChange={(file) => {
                if (file) void readListFile(file).then(setCsv)
              }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                  Choose file
                </Button>
              )}
            </FileButton>
          }
        >
          <Button type="submit" loading={pending} disabled={isTooLong || csv.trim() === ''}>
            Preview import
          </Button>
        </FormFooter>
      </Stack>
    </form>
  )
}
