import type { Formatter } from '../../lib/format'
import { nameKey } from '../../../src/shared/names'
import type { Relation, RelationProof } from '../../../src/shared/relations'

/** "by Customer no", or both names where they differ. */
export const describeRelationColumns = ({ from, to }: Pick<Relation, 'from' | 'to'>): string =>
  nameKey(from.label) === nameKey(to.label) ? `by ${to.label}` : `${from.label} is ${to.label}`

/** "Orders → Customers by Customer no", as one sentence for a screen reader. */
export const relationName = (relation: Pick<Relation, 'from' | 'to'>): string =>
  `${relation.from.datasetName} to ${relation.to.datasetName} ${describeRelationColumns(relation)}`

/** "99,2 % of rows match". A share that is not whole is never shown as 100 %. */
export function describeMatchRate({ fromRows, matchedRows }: RelationProof, format: Formatter): string {
  if (fromRows === 0) return 'No row has a value'
  const share = matchedRows / fromRows
  const shown = share < 1 ? Math.min(share, 0.999) : share
  return matchedRows === fromRows ? 'Every row matches' : `${format.percent(shown)} of rows match`
}

/** Rows that find no partner: what a person loses when figures are split over the relation. */
export function describeUnmatchedRows({ fromRows, matchedRows }: RelationProof, format: Formatter): string | null {
  const left = fromRows - matchedRows
  if (left <= 0) return null
  return `${format.count(left)} ${left === 1 ? 'row finds' : 'rows find'} no partner and ${left === 1 ? 'stands' : 'stand'} under “Empty”`
}

/** Why a relation is not used, and how it comes back. */
export function describeBrokenRelation({ to, proof }: Pick<Relation, 'to' | 'proof'>, format: Formatter): string {
  const { duplicateKeys } = proof
  if (duplicateKeys === 0)
    return `Its columns no longer fit together. Load ${to.datasetName} again, or remove the relation and add it anew.`
  const many = duplicateKeys === 1 ? 'One value' : `${format.count(duplicateKeys)} values`
  return `${many} of ${to.label} ${duplicateKeys === 1 ? 'stands' : 'stand'} in more than one row of ${to.datasetName}, so a row would be counted twice. Load ${to.datasetName} without the doubles and it is checked again.`
}
