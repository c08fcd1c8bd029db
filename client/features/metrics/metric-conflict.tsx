import { Alert, Button, Group, Text } from '@mantine/core'
import type { MetricSaving } from './use-metric-saving'

/** Somebody else saved first: which version stays. */
export function MetricConflictAlert({ saving }: { saving: MetricSaving }) {
  const { theirs, save, takeTheirs } = saving
  if (!theirs) return null
  return (
    <Alert color="yellow" role="alert" title="Someone else saved this first">
      <Text size="sm">
        Theirs is called {theirs.name} and measures <code>{theirs.formula}</code>.
      </Text>
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={() => save(theirs.version)}>
          Keep mine
        </Button>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  )
}
