import { QueryView } from '../../ui/query-view'
import { DialogForm } from '../../ui/forms/form-dialog'
import { Alert, Anchor, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconDownload } from '@tabler/icons-react'
import { ReauthenticationField, wrongPasswordMessage } from './reauthentication-field'
import { deleteAccount, deletionQuery } from './queries'
import { useSession } from '../../lib/session'
import { forgetDrafts } from '../../lib/writes/kept-draft'
import { fieldErrors, FormError, useErrorUntilChange } from '../../ui/forms/form-error'
import { FormSkeleton } from '../../ui/skeletons'
import type { AccountDeletionPreview, SignInMethods } from '../../../src/shared/account'
import { SectionCard } from '../../ui/section-card'
import { FormFooter } from '../../ui/forms/form-footer'
import { Dialog } from '../../ui/dialog'

/** Asks before an account goes: what goes with it, what stands in the way, a typed word and proof. */
function DeleteAccountDialog({ signIns, onClose }: { signIns: SignInMethods; onClose: () => void }) {
  const deletion = useQuery(deletionQuery())
  return (
    <Dialog opened onClose={onClose} title="Delete your account?">
      <QueryView query={deletion} skeleton={<FormSkeleton fields={2} />}>
        {(preview) =>
          preview.blocked.length > 0 ? (
            <DeletionBlocked blocked={preview.blocked} onClose={onClose} />
          ) : (
            <DeletionConfirmation preview={preview} signIns={signIns} onClose={onClose} />
          )
        }
      </QueryView>
    </Dialog>
  )
}

function DeletionBlocked({ blocked, onClose }: { blocked: AccountDeletionPreview['blocked']; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" title="Transfer ownership first">
        <Text size="sm">
          You’re the only owner of these shared workspaces. Transfer ownership or delete them first.
        </Text>
        <List size="sm" mt="xs">
          {blocked.map(({ id, name }) => (
            <List.Item key={id}>
              <Anchor href={`/settings/workspace/members?w=${id}`} size="sm" underline="always">
                {name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </Alert>
      <FormFooter>
        <Button variant="default" data-autofocus onClick={onClose}>
          Cancel
        </Button>
      </FormFooter>
    </Stack>
  )
}

function DeletionConfirmation({
  preview,
  signIns,
  onClose,
}: {
  preview: AccountDeletionPreview
  signIns: SignInMethods
  onClose: () => void
}) {
  const { user } = useSession()
  const confirmationText = user?.email ?? user?.name ?? ''
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const deletion = useMutation({
    mutationFn: deleteAccount,
    // Nothing of the person may stay in this page.
    onSuccess: () => {
      forgetDrafts()
      window.location.replace('/auth/undelete?deleted=true')
    },
  })
  const fields = fieldErrors(deletion.error)
  const passwordError = wrongPasswordMessage(deletion.error) ?? fields?.['password'] ?? null
  const confirmError = useErrorUntilChange(fields?.['confirm'] ?? null, typed)
  const submit = () => {
    if (matchesConfirmation(typed, confirmationText))
      deletion.mutate({ confirm: typed.trim(), ...(password === '' ? {} : { password }) })
  }
  return (
    <DialogForm
      submit="Delete account"
      danger
      pending={deletion.isPending}
      disabled={!matchesConfirmation(typed, confirmationText)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        You leave every workspace and are signed out everywhere. What you created stays in shared workspaces.{' '}
        {user?.email == null
          ? 'Your account has no email, so it can’t be restored.'
          : 'You can restore it for 30 days with an emailed link.'}
      </Text>
      {preview.going.length > 0 && (
        <Alert color="red" title="Workspaces with no other members are deleted too">
          <List size="sm">
            {preview.going.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {passwordError === null && <FormError error={deletion.error} />}
      <TextInput
        label={
          <>
            Type <b style={{ overflowWrap: 'anywhere' }}>{confirmationText}</b> to confirm
          </>
        }
        autoComplete="off"
        spellCheck={false}
        data-transient
        value={typed}
        error={confirmError}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
    </DialogForm>
  )
}

const matchesConfirmation = (typed: string, word: string): boolean =>
  word !== '' && typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase()

/** A person's own copy of what is stored about them, and the end of their account. */
export function PersonalDataCard({ signIns }: { signIns: SignInMethods }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <SectionCard title="Your data">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw="46ch">
          Your profile, sign-ins, workspaces and activity, as JSON.
        </Text>
        <Button
          component="a"
          href="/files/account/export"
          download
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          Download my data
        </Button>
      </Group>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw="46ch">
          You can restore it for 30 days; then it’s permanently deleted.
        </Text>
        <Button variant="outline" color="red" onClick={() => setDeleting(true)}>
          Delete account
        </Button>
      </Group>
      {deleting && <DeleteAccountDialog signIns={signIns} onClose={() => setDeleting(false)} />}
    </SectionCard>
  )
}
