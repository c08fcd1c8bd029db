import { Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

export interface SectionCardProps {
  title: string
  /** One sentence under the title. */
  description?: ReactNode
  /** A card also where sections are told apart by a line and their title: what stands beside the others. */
  boxed?: boolean
  children: ReactNode
}

/** One subject of a page: a card, in the settings a section under a line. */
export function SectionCard({ title, description, boxed = false, children }: SectionCardProps) {
  const id = useId()
  return (
    <Paper
      component="section"
      aria-labelledby={id}
      className={boxed ? 'surface padded' : 'surface padded section-card'}
    >
      <Title order={2} id={id}>
        {title}
      </Title>
      {description !== undefined && (
        <Text size="sm" c="dimmed" mt={2} maw="65ch">
          {description}
        </Text>
      )}
      <Stack gap="md" mt="md">
        {children}
      </Stack>
    </Paper>
  )
}
