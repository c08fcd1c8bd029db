import { Group, Text, Button, Alert } from '@mantine/core'
import { IconArrowRight, IconAlertCircle } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './relations.module.css'
import { useFormat } from '../../lib/format'
import { formatRowCount, type Formatter } from '../../../src/shared/figures/formatter'
import { relationKeyLabel, relationKeyPairs } from '../../../src/shared/relations'
import type { Relation, RelationKeyPair, RelationProof } from '../../../src/shared/relations'
import { useUpdateRelation, useDeleteRelation } from './queries'
import { LinkAnchor } from '../../ui/buttons/links'
import { DeleteDialog } from '../../ui/forms/confirm-dialog'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { nameKey } from '../../../src/shared/field-schemas'

export interface RelationItemProps {
  relation: Relation
  /** What the last thing done with it was refused for. */
  error: unknown
  /** What can be done with it. */
  children?: ReactNode
}

/** One relation in words: which table points at which, by what, and how well it fits. */
export function RelationItem({ relation, error, children }: RelationItemProps) {
  const format = useFormat()
  const { from, to, proof, state } = relation
  const unmatched = describeUnmatchedRows(proof, format)
  return (
    <li className={classes.line}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.words}>
          <Text size="sm" role="group" aria-label={relationName(relation)}>
            <strong>{from.datasetName}</strong>{' '}
            <IconArrowRight size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> <strong>{to.datasetName}</strong>{' '}
            {describeRelationColumns(relation)}
          </Text>
          <Text size="xs" c="dimmed">
            {describeMatchRate(proof, format)}
            {unmatched !== null && `; ${unmatched}`}
            {proof.oneToOne === true && '; one-to-one'}.
          </Text>
          {state === 'broken' && (
            <Text size="sm" mt={4}>
              {describeBrokenRelation(relation, format)}
            </Text>
          )}
        </div>
        <Group gap="xs">{children}</Group>
      </Group>
      <RelationError error={error} />
    </li>
  )
}

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
        aria-label={`Delete: ${relationName(relation)}`}
      >
        Delete
      </Button>
      {asking && <DeleteRelationDialog relation={relation} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Removes a relation. */
function DeleteRelationDialog({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const remove = useDeleteRelation()
  const { from, to } = relation
  return (
    <DeleteDialog
      title="Delete relationship?"
      deletion={remove}
      dependentsText={{
        title: 'Insights or metrics use this relationship',
        after: 'They need another breakdown or filter.',
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
      button={{ first: 'Delete relationship', again: 'Delete anyway' }}
      onDelete={(force) => remove.mutate({ ...relation, force }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <strong>{from.datasetName}</strong> and <strong>{to.datasetName}</strong> ({describeRelationColumns(relation)}).
      No rows are deleted. You can add it again.
    </DeleteDialog>
  )
}

/** Why a relation could not be made or used: the server's own sentence about its ends where there is one. */
export function RelationError({ error }: { error: unknown }) {
  const fields = fieldErrors(error)
  if (fields === null) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title="Couldn’t relate these columns">
      {[...new Set(Object.values(fields))].join(' ')}
    </Alert>
  )
}

type RelationKey = Pick<Relation, 'from' | 'to' | 'further'>
/** "by Customer no", "by Company + Account", or both names where they differ. */
function describeRelationColumns(relation: RelationKey): string {
  const pairs = relationKeyPairs(relation)
  const isAlike = ({ from, to }: RelationKeyPair): boolean => nameKey(from.label) === nameKey(to.label)
  if (pairs.every(isAlike)) return `by ${relationKeyLabel(relation, 'to')}`
  return pairs.map((pair) => (isAlike(pair) ? pair.to.label : `${pair.from.label} = ${pair.to.label}`)).join(' + ')
}

/** "Orders → Customers by Customer no", as one sentence for a screen reader. */
export const relationName = (relation: RelationKey): string =>
  `${relation.from.datasetName} to ${relation.to.datasetName} ${describeRelationColumns(relation)}`

/** "99,2 % of rows match". A share that is not whole is never shown as 100 %. */
function describeMatchRate({ fromRows, matchedRows, restricted }: RelationProof, format: Formatter): string {
  if (restricted) return 'You see only part of this data'
  if (fromRows === 0) return 'No values'
  const share = matchedRows / fromRows
  const shown = share < 1 ? Math.min(share, 0.999) : share
  return matchedRows === fromRows ? 'All rows match' : `${format.percent(shown)} of rows match`
}

/** Rows that find no partner: what a person loses when figures are split over the relation. */
function describeUnmatchedRows({ fromRows, matchedRows }: RelationProof, format: Formatter): string | null {
  const left = fromRows - matchedRows
  if (left <= 0) return null
  return `${formatRowCount(format, left)} unmatched, shown as “Empty”`
}

/** Why a relation is not used, and how it comes back. */
function describeBrokenRelation(relation: RelationKey & Pick<Relation, 'proof'>, format: Formatter): string {
  const { to, proof } = relation
  const { duplicateKeys } = proof
  if (duplicateKeys === 0)
    return `Its columns no longer match. Import ${to.datasetName} again, or delete the relationship.`
  const many = duplicateKeys === 1 ? '1 duplicate value' : `${format.count(duplicateKeys)} duplicate values`
  return `${relationKeyLabel(relation, 'to')} has ${many} in ${to.datasetName}; it must be unique. Import ${to.datasetName} without duplicates.`
}
