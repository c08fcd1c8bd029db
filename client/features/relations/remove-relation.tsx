import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { z } from 'zod'
import { useRemoveRelation } from './queries'
import { byWords } from './relation-words'
import { ApiError } from '../../lib/api'
import { RelationError } from './relation-error'
import { LinkAnchor } from '../../ui/links'
import type { Relation } from '../../../src/shared/relations'

const dependentsSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** The insights that use a relation, when that is why it was not removed. */
function dependentsOf(error: unknown): { id: string; name: string }[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  const parsed = dependentsSchema.safeParse(error.body['dependents'])
  return parsed.success ? parsed.data : []
}

/** Asks once; when insights use the relation, names them and asks again. */
export function RemoveRelation({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const remove = useRemoveRelation()
  const dependents = dependentsOf(remove.error)
  const { from, to } = relation
  return (
    <Modal opened onClose={onClose} title="Remove this relation?">
      <Stack gap="md">
        <Text size="sm">
          <strong>{from.datasetName}</strong> and <strong>{to.datasetName}</strong> ({byWords(relation)}) no longer
          belong together. No row is touched, and you can add it again.
        </Text>
        {dependents && (
          <Alert color="yellow" title="Insights use this relation" role="alert">
            <List size="sm">
              {dependents.map(({ id, name }) => (
                <List.Item key={id}>
                  <LinkAnchor to="/insights/$id" params={{ id }} size="sm">
                    {name}
                  </LinkAnchor>
                </List.Item>
              ))}
            </List>
            <Text size="sm" mt="xs">
              They stay, and need another split or filter before they show figures again.
            </Text>
          </Alert>
        )}
        {!dependents && <RelationError error={remove.error} />}
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ ...relation, force: dependents !== null }, { onSuccess: onClose })}
          >
            {dependents ? 'Remove anyway' : 'Remove relation'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
