import { Badge, Button, Group, Text } from '@mantine/core'
import { IconApps, IconKey } from '@tabler/icons-react'
import { useFormat } from '../../../lib/format'
import {
  TOKEN_SCOPE_LABELS,
  type AccessToken,
  type TokenScope,
  type TokenState,
} from '../../../../src/shared/programs/access-tokens'

const STATE_LABELS: Record<Exclude<TokenState, 'live'>, string> = { expired: 'Expired', ended: 'No longer valid' }
const scopesText = (scopes: readonly TokenScope[]): string => scopes.map((one) => TOKEN_SCOPE_LABELS[one]).join(', ')

export interface ProgramRowProps {
  kind: 'token' | 'app'
  program: Omit<AccessToken, 'expiresAt'> & { expiresAt?: string }
  /** When it was read, epoch ms. */
  now: number
  pending: boolean
  onEnd: () => void
}

/** One token or app: where it reads, what it may, when it last did. */
export function ProgramRow({ kind, program, now, pending, onEnd }: ProgramRowProps) {
  const format = useFormat()
  const Icon = kind === 'token' ? IconKey : IconApps
  const { name, workspaceName, scopes, state, lastUsedAt, expiresAt } = program
  const used = lastUsedAt === null ? 'never used' : `last used ${format.ago(lastUsedAt, now)}`
  const verb = kind === 'token' ? 'Revoke' : 'Disconnect'
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="center">
      <Icon size={20} aria-hidden style={{ color: 'var(--text-muted)', flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {state !== 'live' && <Badge color="gray">{STATE_LABELS[state]}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {workspaceName}: {scopesText(scopes)}, {used}
          {expiresAt !== undefined && state === 'live' && `, expires ${format.day(expiresAt)}`}
        </Text>
      </div>
      <Button variant="default" loading={pending} aria-label={`${verb} ${name}`} onClick={onEnd}>
        {verb}
      </Button>
    </Group>
  )
}
