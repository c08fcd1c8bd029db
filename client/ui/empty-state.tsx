import { Group, Stack, Text, Title } from '@mantine/core'
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
  /** What can be chosen from stands below: it is said in a row, and pushes nothing out of the window. */
  isRow?: boolean
  /** Stands for the whole page, and is its heading. */
  isPage?: boolean
}

export function EmptyState({ picture, title, sentence, action, isRow = false, isPage = false }: EmptyStateProps) {
  if (isRow)
    return (
      <Group justify="space-between" gap="sm" className="surface padded">
        <div>
          <Title order={2}>{title}</Title>
          {sentence !== undefined && <Text c="dimmed">{sentence}</Text>}
        </div>
        {action}
      </Group>
    )
  return (
    <Stack align="center" gap="xs" py={picture === undefined ? 36 : 48} px="md" className="surface">
      {picture !== undefined && <Illustration name={picture} />}
      <Title order={isPage ? 1 : 2} size="h2" mt={picture === undefined ? 0 : 'sm'} ta="center">
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
