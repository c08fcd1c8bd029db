import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconBrandGoogle, IconBrandWindows, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConnectDialog } from './connect-dialog'
import { removeSignIn, signInsQuery } from './queries'
import { useFormat } from '../../lib/format'
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
  const [connecting, setConnecting] = useState<Provider | null>(null)
  const remove = useMutation({
    mutationFn: ({ id }: SignInAccount) => removeSignIn(id),
    onSuccess: async (left, { provider }) => {
      client.setQueryData(signInsQuery().queryKey, left)
      notifications.show({ color: 'green', message: `${PROVIDER_NAME[provider]} removed.` })
    },
  })
  const { password, accounts, offered } = signIns
  const only = accounts.length + (password ? 1 : 0) < 2
  const more = offered.filter((provider) => !accounts.some((account) => account.provider === provider))
  const ask = (account: SignInAccount) =>
    confirmDanger({
      title: `Remove ${PROVIDER_NAME[account.provider]}?`,
      message: `You no longer sign in with ${account.email ?? `this ${PROVIDER_NAME[account.provider]} account`}. You can connect it again later.`,
      confirm: 'Remove sign-in',
      onConfirm: () => remove.mutate(account),
    })
  return (
    <SectionCard
      title="Ways to sign in"
      description={
        offered.length > 0 ? 'With two of them, losing one does not lock you out.' : 'How you prove who you are.'
      }
    >
      <FormError error={remove.error} />
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        <Way icon={<IconKey size={20} aria-hidden />} name="Password">
          {password ? 'Set. Change it above.' : 'Not set.'}
        </Way>
        {accounts.map((account) => {
          const Icon = ICON[account.provider]
          return (
            <Way
              key={account.id}
              icon={<Icon size={20} aria-hidden />}
              name={PROVIDER_NAME[account.provider]}
              action={
                !only && (
                  <Button
                    variant="default"
                    aria-label={`Remove ${PROVIDER_NAME[account.provider]} ${account.email ?? ''}`.trim()}
                    loading={remove.isPending && remove.variables.id === account.id}
                    onClick={() => ask(account)}
                  >
                    Remove
                  </Button>
                )
              }
            >
              <Facts account={account} now={now} />
            </Way>
          )
        })}
      </Stack>
      {only && accounts.length > 0 && (
        <Text size="sm" c="dimmed">
          This is your only way in, so it cannot be removed. Set a password or connect another sign-in first.
        </Text>
      )}
      {more.length > 0 && (
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
        </Group>
      )}
      {connecting && <ConnectDialog provider={connecting} signIns={signIns} onClose={() => setConnecting(null)} />}
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

function Facts({ account, now }: { account: SignInAccount; now: number }) {
  const format = useFormat()
  const used = `connected ${format.date(account.connectedAt)}, last used ${format.ago(account.lastUsedAt, now)}`
  return <>{account.email === null ? used.replace(/^c/, 'C') : `${account.email}, ${used}`}</>
}
