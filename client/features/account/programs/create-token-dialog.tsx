import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accessTokensQuery, createAccessToken } from './queries'
import { ScopeChoice } from './scope-choice'
import { ReauthenticationField, wrongPasswordMessage } from '../reauthentication-field'
import { useSession } from '../../../lib/session'
import { Dialog } from '../../../ui/dialog'
import { CopyField } from '../../../ui/forms/copy-field'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import type { SignInMethods } from '../../../../src/shared/account'
import {
  TOKEN_DAYS,
  TOKEN_DAYS_DEFAULT,
  type CreatedAccessToken,
  type TokenScope,
} from '../../../../src/shared/programs/access-tokens'

export interface CreateTokenDialogProps {
  signIns: SignInMethods
  onClose: () => void
}

/** Makes a token for the workspace at hand, then shows it: once. */
export function CreateTokenDialog({ signIns, onClose }: CreateTokenDialogProps) {
  const [created, setCreated] = useState<CreatedAccessToken | null>(null)
  if (!created) return <TokenForm signIns={signIns} onCreated={setCreated} onClose={onClose} />
  return (
    <Dialog opened onClose={onClose} title="Access token">
      <Stack gap="md">
        <Alert color="green" title="Token created" role="status">
          Copy it now: it isn’t shown again.
        </Alert>
        <CopyField label="Token" text={created.token} isFirst />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface TokenFormProps extends CreateTokenDialogProps {
  onCreated: (token: CreatedAccessToken) => void
}

function TokenForm({ signIns, onCreated, onClose }: TokenFormProps) {
  const client = useQueryClient()
  const { workspace } = useSession()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<TokenScope[]>(['read', 'ask'])
  const [days, setDays] = useState<number>(TOKEN_DAYS_DEFAULT)
  const [password, setPassword] = useState('')
  const create = useMutation({
    mutationFn: createAccessToken,
    onSuccess: async (token) => {
      onCreated(token)
      await client.invalidateQueries(accessTokensQuery())
    },
  })
  const errors = fieldErrors(create.error)
  const passwordError = wrongPasswordMessage(create.error) ?? errors?.['password'] ?? null
  const submit = () => create.mutate({ name, scopes, days, ...(password === '' ? {} : { password }) })
  return (
    <FormDialog
      title="Create access token"
      submit="Create token"
      pending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">It reads what you see in {workspace?.name}.</Text>
      {passwordError === null && !errors && <FormError error={create.error} />}
      <TextInput
        label="Name"
        placeholder="Laptop assistant"
        data-autofocus
        value={name}
        error={errors?.['name']}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ScopeChoice value={scopes} onChange={setScopes} error={errors?.['scopes']} />
      <Select
        label="Expires in"
        allowDeselect={false}
        data={TOKEN_DAYS.map((each) => ({ value: String(each), label: `${each} days` }))}
        value={String(days)}
        onChange={(value) => setDays(Number(value))}
      />
      <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
    </FormDialog>
  )
}
