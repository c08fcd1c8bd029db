import { List, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteWorkspace, ownSignInsQuery, readDeletedWorkspaces } from './queries'
import { ApiError } from '../../lib/api'
import { useFormat } from '../../lib/format'
import { useMoney } from '../../lib/money'
import { newestInvoicesQuery, subscriptionQuery } from '../../lib/queries/subscription-queries'
import { useSession } from '../../lib/session'
import { FormDialog } from '../../ui/forms/form-dialog'
import { fieldErrors, FormError, useErrorUntilChange } from '../../ui/forms/form-error'
import { RECENT_SIGN_IN_MS } from '../../../src/shared/account'
import { planById } from '../../../src/shared/billing/plans'
import { nameKey } from '../../../src/shared/field-schemas'
import { DELETED_RETENTION_MS } from '../../../src/shared/limits'
import type { DeleteWorkspaceInput } from '../../../src/shared/workspaces/deletion'
import type { Workspace } from '../../../src/shared/workspaces/workspaces'

/** What the server said to the password; null when it was about something else. */
const passwordMessage = (error: unknown): string | null =>
  error instanceof ApiError && error.body.code === 'invalid_credentials'
    ? 'Incorrect password'
    : (fieldErrors(error)?.['password'] ?? null)

/** Deletes it. Where an earlier press did, and its answer was lost, that is found among what the person may restore. */
async function deleteOnce(id: string, input: DeleteWorkspaceInput): Promise<void> {
  try {
    await deleteWorkspace(input)
  } catch (error) {
    const isGone = error instanceof ApiError && error.body.code === 'not_found'
    if (!isGone || !(await readDeletedWorkspaces()).some((deleted) => deleted.id === id)) throw error
  }
}

const REAUTHENTICATION_MINUTES = RECENT_SIGN_IN_MS / 60_000

export interface DeleteWorkspaceDialogProps {
  workspace: Workspace
  onDeleted: () => Promise<void>
  onClose: () => void
}

/** The end of a workspace: what goes, what is still to be paid, and the proof that it is really the owner. */
export function DeleteWorkspaceDialog({ workspace, onDeleted, onClose }: DeleteWorkspaceDialogProps) {
  const { id, name, version } = workspace
  const format = useFormat()
  const { data: signIns } = useQuery(ownSignInsQuery())
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [until] = useState(() => new Date(Date.now() + DELETED_RETENTION_MS).toISOString())
  const deletion = useMutation({
    mutationFn: () => deleteOnce(id, { name: typed, version, ...(password === '' ? {} : { password }) }),
    onSuccess: onDeleted,
  })
  const needsPassword = signIns?.password !== false
  const isReady = nameKey(typed) === nameKey(name) && (!needsPassword || password !== '')
  const refusal = passwordMessage(deletion.error)
  const passwordError = useErrorUntilChange(refusal, password)
  const nameError = useErrorUntilChange(fieldErrors(deletion.error)?.['name'] ?? null, typed)
  return (
    <FormDialog
      title="Delete workspace?"
      submit="Delete workspace"
      danger
      pending={deletion.isPending}
      disabled={!isReady}
      onSubmit={() => {
        if (isReady) deletion.mutate()
      }}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        <List.Item>Everyone loses access at once; running imports stop.</List.Item>
        <List.Item>All data, insights, members, groups and settings are deleted.</List.Item>
        <BillingConsequences />
        <List.Item>Owners and admins get an email.</List.Item>
      </List>
      <Text size="sm">You can restore it until {format.date(until)} under “Deleted workspaces”.</Text>
      {fieldErrors(deletion.error) === null && refusal === null && <FormError error={deletion.error} />}
      <TextInput
        label={
          <>
            Enter <b style={{ overflowWrap: 'anywhere' }}>{name}</b> to confirm
          </>
        }
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        data-transient
        value={typed}
        error={nameError}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {needsPassword ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={passwordError}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Requires a sign-in within the last {REAUTHENTICATION_MINUTES} minutes.
        </Text>
      )}
    </FormDialog>
  )
}

/** The subscription that ends with it and the invoices that stay due, by name; nothing where nothing was bought. */
function BillingConsequences() {
  const format = useFormat()
  const money = useMoney()
  const isBillingOff = useSession().config.billing === 'off'
  const { data: view } = useQuery({ ...subscriptionQuery(), enabled: !isBillingOff })
  const hasPaid = view !== undefined && view.method !== null
  const { data: newest } = useQuery({ ...newestInvoicesQuery(), enabled: hasPaid })
  if (!hasPaid) return null
  const { planId, interval, periodEndsAt, cancelAt } = view
  const open = newest?.items.filter(({ state }) => state === 'open') ?? []
  const plan = planId === null ? 'subscription' : (planById(planId)?.name ?? planId)
  const ends = cancelAt ?? periodEndsAt
  return (
    <>
      <List.Item>
        {plan}
        {interval === null ? '' : `, billed ${interval},`} is cancelled
        {ends === null ? '.' : ` and ends ${format.day(ends)}. Paid time isn’t refunded.`}
      </List.Item>
      {open.length > 0 && (
        <List.Item>
          Open invoices stay due:{' '}
          {open.map(({ number, due }) => `${number ?? 'no number yet'} (${money(due)})`).join(', ')}
        </List.Item>
      )}
    </>
  )
}
