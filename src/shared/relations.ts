import { z } from 'zod'
import { idSchema } from './ids'
import { versionSchema } from './field-schemas'
import { columnKeySchema, type ColumnKey } from './data-sources/files'

/** Many rows of `from` point at one row of `to`: orders at customers, entries at accounts. */
export interface Relation {
  id: string
  from: RelationEnd
  to: RelationEnd
  /** Of a key of several columns: the further ones, pair by pair; rows match where all pairs do. Absent: one column. */
  further?: RelationKeyPair[]
  state: RelationState
  proof: RelationProof
  version: number
}
export interface RelationEnd {
  datasetId: string
  datasetName: string
  key: ColumnKey
  label: string
}
export interface RelationKeyPair {
  from: Pick<RelationEnd, 'key' | 'label'>
  to: Pick<RelationEnd, 'key' | 'label'>
}
/** Columns that a key consists of at most. */
export const RELATION_KEY_COLUMNS_MAX = 4

/** All columns of a relation's key, pair by pair. */
export const relationKeyPairs = ({
  from,
  to,
  further = [],
}: Pick<Relation, 'from' | 'to' | 'further'>): RelationKeyPair[] => [
  { from: { key: from.key, label: from.label }, to: { key: to.key, label: to.label } },
  ...further,
]

/** What the key is called at one end: its column, or "Company + Account". */
export const relationKeyLabel = (
  relation: Pick<Relation, 'from' | 'to' | 'further'>,
  side: 'from' | 'to',
  labelOf: (label: string) => string = (label) => label,
): string =>
  relationKeyPairs(relation)
    .map((pair) => labelOf(pair[side].label))
    .join(' + ')

/**
 * `proposed`: found by us, waits for a person. `confirmed`: plans may use it. `broken`: was confirmed, but the last load
 * put two rows under one key, so no plan uses it. `dismissed`: never proposed again.
 */
const RELATION_STATES = ['proposed', 'confirmed', 'broken', 'dismissed'] as const
export type RelationState = (typeof RELATION_STATES)[number]

/** How it was seen that the relation is many-to-one. Counts are of rows with a value, in all columns of the key. */
export interface RelationProof {
  fromRows: number
  /** Of these, how many find their row. */
  matchedRows: number
  toRows: number
  /** Keys of `to` that stand in more than one row: any makes the relation unusable. */
  duplicateKeys: number
  /** Whether no two rows of `from` have one key either: the relation is followed in both directions. */
  oneToOne?: boolean
  /** Rules of access leave out some of the rows: the counts, which are of all, are not told and stand at 0. */
  restricted?: true
  checkedAt: string
}

const relationEndSchema = z.strictObject({ datasetId: idSchema('dataset'), key: columnKeySchema })

/** `POST /api/relations`: a relation by hand, proven at once. */
export const createRelationSchema = z.strictObject({
  from: relationEndSchema,
  to: relationEndSchema,
  /** Further columns of the key, of the same two datasets. */
  further: z
    .array(z.strictObject({ from: columnKeySchema, to: columnKeySchema }))
    .max(RELATION_KEY_COLUMNS_MAX - 1)
    .optional(),
})
export type CreateRelationInput = z.infer<typeof createRelationSchema>
/** `PUT /api/relations/{id}`: confirm or dismiss. */
export const updateRelationSchema = z.strictObject({
  state: z.enum(['confirmed', 'dismissed']),
  version: versionSchema,
  /** Dismiss it although insights use it. */
  force: z.boolean().optional(),
})
export type UpdateRelationInput = z.infer<typeof updateRelationSchema>
/** `DELETE /api/relations/{id}?version=&force=1`: `force` once the insights that use it were seen. */
export const removeRelationSchema = z.strictObject({
  version: z.coerce.number().pipe(versionSchema),
  force: z.enum(['0', '1']).default('0'),
})
/** `GET /api/relations?dataset=`: all of the workspace, or those of one dataset. */
export const listRelationsSchema = z.strictObject({ dataset: idSchema('dataset').optional() })
