import { useDeleteRelation } from './queries'
import { describeRelationColumns } from './relation-words'
import { RelationError } from './relation-error'
import { dependentsOf } from '../../lib/dependents'
import { LinkAnchor } from '../../ui/links'
import { DeleteDialog } from '../../ui/remove-dialog'
import type { Relation } from '../../../src/shared/relations'

/** Removes a relation. */
export function DeleteRelationDialog({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const remove = useDeleteRelation()
  const dependents = dependentsOf(remove.error)
  const { from, to } = relation
  return (
    <DeleteDialog
      title="Remove this relation?"
      dependents={dependents}
      dependentsText={{
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
      errorNotice={<RelationError error={remove.error} />}
      button={{ first: 'Remove relation', again: 'Remove anyway' }}
      pending={remove.isPending}
      onDelete={() => remove.mutate({ ...relation, force: dependents !== null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <strong>{from.datasetName}</strong> and <strong>{to.datasetName}</strong> ({describeRelationColumns(relation)}) no
      longer belong together. No row is touched, and you can add it again.
    </DeleteDialog>
  )
}
