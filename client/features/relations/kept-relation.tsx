import { Button } from '@mantine/core'
import { useState } from 'react'
import { useUpdateRelation } from './queries'
import { RelationItem } from './relation-line'
import { relationName } from './relation-words'
import { DeleteRelationDialog } from './remove-relation'
import type { Relation } from '../../../src/shared/relations'

interface StoredRelationProps {
  relation: Relation
  may: boolean
}

/** A relation that plans use. */
export function ConfirmedRelation({ relation, may }: StoredRelationProps) {
  return (
    <RelationItem relation={relation} error={null}>
      {may && <DeleteRelationButton relation={relation} />}
    </RelationItem>
  )
}

/** A relation that the last load made unusable: why, how it is mended, and a look whether it is. */
export function BrokenRelation({ relation, may }: StoredRelationProps) {
  const decide = useUpdateRelation()
  const { id, version } = relation
  return (
    <RelationItem relation={relation} error={decide.error}>
      {may && (
        <>
          <Button
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ id, version, state: 'confirmed' })}
            aria-label={`Check again: ${relationName(relation)}`}
          >
            Check again
          </Button>
          <DeleteRelationButton relation={relation} />
        </>
      )}
    </RelationItem>
  )
}

function DeleteRelationButton({ relation }: { relation: Relation }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        onClick={() => setAsking(true)}
        aria-label={`Remove: ${relationName(relation)}`}
      >
        Remove
      </Button>
      {asking && <DeleteRelationDialog relation={relation} onClose={() => setAsking(false)} />}
    </>
  )
}
