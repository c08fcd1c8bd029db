import { useRemoveRelation } from './queries'
import { byWords } from './relation-words'
import { RelationError } from './relation-error'
import { dependentsOf } from '../../lib/dependents'
import { LinkAnchor } from '../../ui/links'
import { RemoveDialog } from '../../ui/remove-dialog'
import type { Relation } from '../../../src/shared/relations'

/** Removes a relation. */
export function RemoveRelation({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const remove = useRemoveRelation()
  const dependents = dependentsOf(remove.error)
  const { from, to } = relation
  return (
    <RemoveDialog
      title="Remove this relation?"
      dependents={dependents}
      use={{
        title: 'Insights or metrics use this relation',
        after: 'They stay, and need another split or filter before they show figures again.',
        named: ({ type, id, name }) =>
          type === 'insight' ? (
            <LinkAnchor to="/insights/$id" params={{ id }} size="sm">
              {name}
            </LinkAnchor>
          ) : (
            name
          ),
      }}
      fault={<RelationError error={remove.error} />}
      button={{ first: 'Remove relation', again: 'Remove anyway' }}
      pending={remove.isPending}
      onRemove={() => remove.mutate({ ...relation, force: dependents !== null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <strong>{from.datasetName}</strong> and <strong>{to.datasetName}</strong> ({byWords(relation)}) no longer belong
      together. No row is touched, and you can add it again.
    </RemoveDialog>
  )
}
