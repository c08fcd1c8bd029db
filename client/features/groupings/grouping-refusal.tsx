import { Alert, Button, Group, List, Text } from '@mantine/core'
import type { GroupingSaving } from './use-grouping-saving'
import { FormError } from '../../ui/form-error'

/** Why it cannot be saved: what is wrong with it, who saved first, or what names a group that is gone. */
export function GroupingSaveProblems({ saving, problems }: { saving: GroupingSaving; problems: readonly string[] }) {
  const { theirs, dependents, error, save, adopt, reset } = saving
  if (problems.length > 0)
    return (
      <Alert color="yellow" title="Something has to be put right before it can be saved">
        <List size="sm">
          {[...new Set(problems)].map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      </Alert>
    )
  if (theirs)
    return (
      <Alert color="yellow" role="alert" title="Someone else saved this first">
        <Text size="sm">Choose which version stays; the other one is replaced.</Text>
        <Group gap="sm" mt="sm">
          <Button size="xs" onClick={() => save({ over: theirs.version })}>
            Keep mine
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              reset()
              adopt(theirs)
            }}
          >
            Take theirs
          </Button>
        </Group>
      </Alert>
    )
  if (dependents)
    return (
      <Alert color="yellow" role="alert" title="These look at a group that would be gone">
        <List size="sm">
          {dependents.map(({ id, name }) => (
            <List.Item key={id}>{name}</List.Item>
          ))}
        </List>
        <Group gap="sm" mt="sm">
          <Button size="xs" color="red" onClick={() => save({ force: true })}>
            Save all the same
          </Button>
          <Button size="xs" variant="default" onClick={reset}>
            Keep editing
          </Button>
        </Group>
      </Alert>
    )
  return error ? <FormError error={error} /> : null
}
