import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Illustration, type IllustrationName } from './illustration'

export interface EmptyStateProps {
  picture: IllustrationName
  title: string
  /** One sentence that teaches what this page will do. */
  sentence: string
  /** The one primary action. */
  action?: ReactNode
}

export function EmptyState({ picture, title, sentence, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="surface">
      <Illustration name={picture} />
      <Title order={2} mt="sm" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw="44ch" style={{ textWrap: 'balance' }} mb={action === undefined ? 0 : 'sm'}>
        {sentence}
      </Text>
      {action}
    </Stack>
  )
}
