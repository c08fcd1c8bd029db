import { FormDialog } from '../../ui/forms/form-dialog'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { notifications } from '@mantine/notifications'
import { IconKey } from '@tabler/icons-react'
import { ReauthenticationField, wrongPasswordMessage } from './reauthentication-field'
import { connectProvider, removeSignIn, signInsQuery } from './queries'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { IDENTITY_PROVIDER_NAMES } from '../../../src/shared/account'
import type { IdentityProvider, SignInMethods, ConnectedAccount } from '../../../src/shared/account'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { ProviderMark } from '../../ui/provider-mark'
import { SectionCard } from '../../ui/section-card'

interface ConnectProviderDialogProps {
  provider: IdentityProvider
  signIns: SignInMethods
  onClose: () => void
}

/** Before another way in is added, the person proves who they are; then the browser goes to the provider. */
function ConnectProviderDialog({ provider, signIns, onClose }: ConnectProviderDialogProps) {
  const [password, setPassword] = useState('')
  const start = useMutation({
    mutationFn: connectProvider,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const name = IDENTITY_PROVIDER_NAMES[provider]
  const passwordError = wrongPasswordMessage(start.error) ?? fieldErrors(start.error)?.['password'] ?? null
  const submit = () => start.mutate({ provider, ...(password === '' ? {} : { password }) })
  return (
    <FormDialog
      title={`Connect ${name}`}
      submit={`Go to ${name}`}
      pending={start.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">You’ll go to {name} and come back. We only read your name and email.</Text>
      {passwordError === null && <FormError error={start.error} />}
      <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
    </FormDialog>
  )
}

interface RemoveSignInDialogProps {
  account: ConnectedAccount
  signIns: SignInMethods
  onClose: () => void
}

/** Asks before a way in goes, and for proof: whoever finds an open browser must not lock its owner out. */
function RemoveSignInDialog({ account, signIns, onClose }: RemoveSignInDialogProps) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const name = IDENTITY_PROVIDER_NAMES[account.provider]
  const remove = useMutation({
    mutationFn: removeSignIn,
    onSuccess: (left) => {
      client.setQueryData(signInsQuery().queryKey, left)
      notifications.show({ color: 'green', message: `${name} removed` })
      onClose()
    },
  })
  const passwordError = wrongPasswordMessage(remove.error) ?? fieldErrors(remove.error)?.['password'] ?? null
  return (
    <FormDialog
      title={`Remove ${name}?`}
      submit="Remove sign-in"
      danger
      pending={remove.isPending}
      onSubmit={() => remove.mutate({ id: account.id, ...(password === '' ? {} : { password }) })}
      onClose={onClose}
    >
      <Text size="sm">
        You can’t sign in with {account.email ?? `this ${name} account`} any more. You can connect it again.
      </Text>
      {passwordError === null && <FormError error={remove.error} />}
      <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
    </FormDialog>
  )
}

export interface SignInMethodsCardProps {
  signIns: SignInMethods
  /** When they were read, epoch ms. */
  now: number
}

/** Every way into the account; the last one stays. */
export function SignInMethodsCard({ signIns, now }: SignInMethodsCardProps) {
  const [removing, setRemoving] = useState<ConnectedAccount | null>(null)
  const { password, accounts, offered } = signIns
  // A password lets nobody in who has no address to type beside it.
  const hasEmail = useSession().user?.email !== null
  const isLastMethod = accounts.length + (password && hasEmail ? 1 : 0) < 2
  const description = offered.length > 0 ? 'Add a second method as backup.' : undefined
  return (
    <SectionCard title="Sign-in methods" description={description}>
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        <SignInMethodRow icon={<IconKey size={20} aria-hidden />} name="Password">
          {password ? 'Set' : 'Not set'}
        </SignInMethodRow>
        {accounts.map((account) => (
          <ProviderRow
            key={account.id}
            account={account}
            now={now}
            onRemove={isLastMethod ? null : () => setRemoving(account)}
          />
        ))}
      </Stack>
      {isLastMethod && accounts.length > 0 && (
        <Text size="sm" c="dimmed">
          Your only sign-in method can’t be removed. {password ? 'Add an email' : 'Set a password'} or connect another
          first.
        </Text>
      )}
      <ConnectProviders signIns={signIns} />
      {removing && <RemoveSignInDialog account={removing} signIns={signIns} onClose={() => setRemoving(null)} />}
    </SectionCard>
  )
}

function SignInMethodRow(props: { icon: ReactNode; name: string; action?: ReactNode; children: ReactNode }) {
  const { icon, name, action, children } = props
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="center">
      <span style={{ display: 'flex', color: 'var(--text-muted)' }}>{icon}</span>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={550}>{name}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      </div>
      {action}
    </Group>
  )
}

interface ProviderRowProps {
  account: ConnectedAccount
  now: number
  /** Null: it is the last one. */
  onRemove: (() => void) | null
}

function ProviderRow({ account, now, onRemove }: ProviderRowProps) {
  const format = useFormat()
  const { provider, email } = account
  const name = IDENTITY_PROVIDER_NAMES[provider]
  const used = `onnected ${format.day(account.connectedAt)}, last used ${format.ago(account.lastUsedAt, now)}`
  const action = onRemove && (
    <Button variant="default" aria-label={`Remove ${name} ${email ?? ''}`.trim()} onClick={onRemove}>
      Remove
    </Button>
  )
  return (
    <SignInMethodRow icon={<ProviderMark provider={provider} size={20} />} name={name} action={action}>
      {email === null ? `C${used}` : `${email}, c${used}`}
    </SignInMethodRow>
  )
}

/** The providers that are offered here and not connected yet. */
function ConnectProviders({ signIns }: { signIns: SignInMethods }) {
  const [connecting, setConnecting] = useState<IdentityProvider | null>(null)
  const available = signIns.offered.filter((offered) => !signIns.accounts.some(({ provider }) => provider === offered))
  if (available.length === 0) return null
  return (
    <Group gap="xs">
      {available.map((provider) => (
        <Button
          key={provider}
          variant="default"
          leftSection={<ProviderMark provider={provider} />}
          onClick={() => setConnecting(provider)}
        >
          Connect {IDENTITY_PROVIDER_NAMES[provider]}
        </Button>
      ))}
      {connecting && (
        <ConnectProviderDialog provider={connecting} signIns={signIns} onClose={() => setConnecting(null)} />
      )}
    </Group>
  )
}
