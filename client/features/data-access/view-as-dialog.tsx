import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import type { ViewAsSubject } from '../../../src/shared/data-access/data-access'
import { ROLES } from '../../../src/shared/permissions'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import { useAccessNames } from './access-names'
import classes from './data-access.module.css'
import { useViewAs } from './queries'

type SubjectKind = ViewAsSubject['kind']
export const PERSON_KINDS = [
  { value: 'member', label: 'Member' },
  { value: 'group', label: 'Group' },
  { value: 'role', label: 'Role' },
] as const satisfies { value: SubjectKind; label: string }[]

/** Somebody, some people, or everybody of a role, while it is being chosen. */
export interface SubjectDraft {
  kind: SubjectKind
  value: string | null
}
export const toSubjectDraft = (subject: ViewAsSubject): SubjectDraft => ({
  kind: subject.kind,
  value: subject.kind === 'role' ? subject.role : subject.id,
})
export function toPersonSubject({ kind, value }: SubjectDraft): ViewAsSubject | null {
  if (value === null) return null
  if (kind !== 'role') return { kind, id: value }
  const role = ROLES.find((one) => one === value)
  return role ? { kind, role } : null
}

interface SubjectSelectProps {
  label: string
  subject: SubjectDraft
  error?: string | undefined
  onChange: (subject: SubjectDraft) => void
}

/** A member, a group or a role. */
export function SubjectSelect({ label, subject: { kind, value }, error, onChange }: SubjectSelectProps) {
  const { choices } = useAccessNames()
  return (
    <div className={classes.pair}>
      <Select
        label={label}
        data={PERSON_KINDS}
        value={kind}
        onChange={(next) => next && onChange({ kind: next, value: null })}
      />
      <Select
        label={PERSON_KINDS.find((one) => one.value === kind)?.label}
        data={choices[kind]}
        value={value}
        searchable
        nothingFoundMessage="No match"
        placeholder={`Choose a ${kind}`}
        error={error}
        onChange={(next) => onChange({ kind, value: next })}
      />
    </div>
  )
}

interface ViewAsDialogProps {
  initial: ViewAsSubject | null
  onClose: () => void
}

/** Shows the workspace as somebody else sees it. */
export function ViewAsDialog({ initial, onClose }: ViewAsDialogProps) {
  const [subject, setSubject] = useState<SubjectDraft>(
    initial ? toSubjectDraft(initial) : { kind: 'member', value: null },
  )
  const viewing = useViewAs()
  const chosen = toPersonSubject(subject)
  return (
    <FormDialog
      title="View as"
      submit="Start viewing"
      pending={viewing.isPending || viewing.isSuccess}
      disabled={chosen === null}
      onSubmit={() => chosen && viewing.mutate(chosen)}
      onClose={onClose}
    >
      <FormError error={viewing.error} />
      <SubjectSelect label="View as" subject={subject} onChange={setSubject} />
      <Text size="sm">Read-only, for an hour. It’s recorded in the audit log.</Text>
    </FormDialog>
  )
}
