import { Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

export interface SectionCardProps {
  title: string
  /** One sentence under the title. */
  description?: ReactNode
  children: ReactNode
}

/** One subject of a settings page. */
export function SectionCard({ title, description, children }: SectionCardProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} p="lg" className="surface">
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
