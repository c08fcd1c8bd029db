import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { ReauthenticationField, wrongPasswordMessage } from './proof-field'
import { connectProvider } from './queries'
import { fieldErrors, FormError } from '../../ui/form-error'
import { IDENTITY_PROVIDER_NAMES } from '../../../src/shared/account'
import type { IdentityProvider, SignInMethods } from '../../../src/shared/account'

export interface ConnectProviderDialogProps {
  provider: IdentityProvider
  signIns: SignInMethods
  onClose: () => void
}

/** Before another way in is added, the person proves who they are; then the browser goes to the provider. */
export function ConnectProviderDialog({ provider, signIns, onClose }: ConnectProviderDialogProps) {
  const [password, setPassword] = useState('')
  const start = useMutation({
    mutationFn: connectProvider,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const name = IDENTITY_PROVIDER_NAMES[provider]
  const passwordError = wrongPasswordMessage(start.error) ?? fieldErrors(start.error)?.['password'] ?? null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate({ provider, ...(password === '' ? {} : { password }) })
  }
  return (
    <Modal opened onClose={onClose} title={`Connect ${name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">
            You go to {name} and come back here. After that you sign in with {name}, too; nothing else is read there.
          </Text>
          {passwordError === null && <FormError error={start.error} />}
          <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Not now
            </Button>
            <Button type="submit" loading={start.isPending}>
              Go to {name}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
