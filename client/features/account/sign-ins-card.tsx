import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconBrandGoogle, IconBrandWindows, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConnectDialog } from './connect-dialog'
import { removeSignIn, signInsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { confirmDanger } from '../../ui/confirm-danger'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { PROVIDER_NAME } from '../../../src/shared/account'
import type { Provider, SignInAccount, SignIns } from '../../../src/shared/account'

const ICON: Record<Provider, typeof IconKey> = { google: IconBrandGoogle, microsoft: IconBrandWindows }

export interface SignInsCardProps {
  signIns: SignIns
  /** When they were read, epoch ms. */
  now: number
}

/** Every way into the account; the last one stays. */
export function SignInsCard({ signIns, now }: SignInsCardProps) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ id }: SignInAccount) => removeSignIn(id),
    onSuccess: async (left, { provider }) => {
      client.setQueryData(signInsQuery().queryKey, left)
      notifications.show({ color: 'green', message: `${PROVIDER_NAME[provider]} removed.` })
    },
  })
  const { password, accounts, offered } = signIns
  // A password lets nobody in who has no address to type beside it.
  const addressed = useSession().user?.email !== null
  const only = accounts.length + (password && addressed ? 1 : 0) < 2
  const description =
    offered.length > 0 ? 'With two of them, losing one does not lock you out.' : 'How you prove who you are.'
  return (
    <SectionCard title="Ways to sign in" description={description}>
      <FormError error={remove.error} />
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        <Way icon={<IconKey size={20} aria-hidden />} name="Password">
          {password ? 'Set. Change it above.' : 'Not set.'}
        </Way>
        {accounts.map((account) => (
          <AccountWay
            key={account.id}
            account={account}
            now={now}
            removing={remove.isPending && remove.variables.id === account.id}
            onRemove={only ? null : () => remove.mutate(account)}
          />
        ))}
      </Stack>
      {only && accounts.length > 0 && (
        <Text size="sm" c="dimmed">
          This is your only way in, so it cannot be removed. {password ? 'Add an address' : 'Set a password'} or connect
          another sign-in first.
        </Text>
      )}
      <ConnectMore signIns={signIns} />
    </SectionCard>
  )
}

function Way(props: { icon: ReactNode; name: string; action?: ReactNode; children: ReactNode }) {
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

interface AccountWayProps {
  account: SignInAccount
  now: number
  removing: boolean
  /** Null: it is the last one. */
  onRemove: (() => void) | null
}

function AccountWay({ account, now, removing, onRemove }: AccountWayProps) {
  const format = useFormat()
  const { provider, email } = account
  const Icon = ICON[provider]
  const name = PROVIDER_NAME[provider]
  const used = `onnected ${format.date(account.connectedAt)}, last used ${format.ago(account.lastUsedAt, now)}`
  const ask = (onConfirm: () => void) =>
    confirmDanger({
      title: `Remove ${name}?`,
      message: `You no longer sign in with ${email ?? `this ${name} account`}. You can connect it again later.`,
      confirm: 'Remove sign-in',
      onConfirm,
    })
  const action = onRemove && (
    <Button
      variant="default"
      aria-label={`Remove ${name} ${email ?? ''}`.trim()}
      loading={removing}
      onClick={() => ask(onRemove)}
    >
      Remove
    </Button>
  )
  return (
    <Way icon={<Icon size={20} aria-hidden />} name={name} action={action}>
      {email === null ? `C${used}` : `${email}, c${used}`}
    </Way>
  )
}

/** The providers that are offered here and not connected yet. */
function ConnectMore({ signIns }: { signIns: SignIns }) {
  const [connecting, setConnecting] = useState<Provider | null>(null)
  const more = signIns.offered.filter((offered) => !signIns.accounts.some(({ provider }) => provider === offered))
  if (more.length === 0) return null
  return (
    <Group gap="xs">
      {more.map((provider) => {
        const Icon = ICON[provider]
        return (
          <Button
            key={provider}
            variant="default"
            leftSection={<Icon size={17} aria-hidden />}
            onClick={() => setConnecting(provider)}
          >
            Connect {PROVIDER_NAME[provider]}
          </Button>
        )
      })}
      {connecting && <ConnectDialog provider={connecting} signIns={signIns} onClose={() => setConnecting(null)} />}
    </Group>
  )
}
