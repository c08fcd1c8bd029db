import { Stack, Text, Title } from '@mantine/core'
import { Illustration } from './illustration'

export interface LockedStateProps {
  /** What the feature does, as a promise: "Analyse files without uploading them". */
  title: string
  sentence: string
  /** Name of the smallest plan that has it. */
  planName: string
}

/** A feature the plan does not include: what it does and which plan has it. */
export function LockedState({ title, sentence, planName }: LockedStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="surface">
      <Illustration name="locked" />
      <Title order={2} mt="sm" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw="44ch">
        {sentence}
      </Text>
      <Text size="sm" fw={550} ta="center">
        Included in {planName}.
      </Text>
    </Stack>
  )
}
