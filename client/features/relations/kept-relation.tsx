import { Button } from '@mantine/core'
import { useState } from 'react'
import { useDecideRelation } from './queries'
import { RelationLine } from './relation-line'
import { relationName } from './relation-words'
import { RemoveRelation } from './remove-relation'
import type { Relation } from '../../../src/shared/relations'

interface KeptProps {
  relation: Relation
  may: boolean
}

/** A relation that plans use. */
export function ConfirmedRelation({ relation, may }: KeptProps) {
  return (
    <RelationLine relation={relation} error={null}>
      {may && <RemoveButton relation={relation} />}
    </RelationLine>
  )
}

/** A relation that the last load made unusable: why, how it is mended, and a look whether it is. */
export function BrokenRelation({ relation, may }: KeptProps) {
  const decide = useDecideRelation()
  const { id, version } = relation
  return (
    <RelationLine relation={relation} error={decide.error}>
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
          <RemoveButton relation={relation} />
        </>
      )}
    </RelationLine>
  )
}

function RemoveButton({ relation }: { relation: Relation }) {
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
      {asking && <RemoveRelation relation={relation} onClose={() => setAsking(false)} />}
    </>
  )
}
