import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Illustration, type IllustrationName } from './illustration'

export interface EmptyStateProps {
  /** A drawing of the very thing that is missing; none rather than that of something else. */
  picture?: IllustrationName
  title: string
  /** The benefit, or the next step, in one sentence. */
  sentence?: string
  /** The one primary action. */
  action?: ReactNode
}

export function EmptyState({ picture, title, sentence, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={picture === undefined ? 36 : 48} px="md" className="surface">
      {picture !== undefined && <Illustration name={picture} />}
      <Title order={2} mt={picture === undefined ? 0 : 'sm'} ta="center">
        {title}
      </Title>
      {sentence !== undefined && (
        <Text c="dimmed" ta="center" maw="44ch" style={{ textWrap: 'balance' }}>
          {sentence}
        </Text>
      )}
      {action !== undefined && <div style={{ marginTop: 'var(--mantine-spacing-sm)' }}>{action}</div>}
    </Stack>
  )
}
