/** Things that stay 30 days in “Recently deleted”. */
const DELETED_KINDS = ['source', 'insight', 'group', 'grouping', 'report'] as const
export type DeletedKind = (typeof DELETED_KINDS)[number]

/** GET /api/deleted, the newest first. Restoring is POST /api/{data-sources|insights|groups|groupings|reports}/{id}/restore. */
export interface DeletedItem {
  kind: DeletedKind
  id: string
  name: string
  deletedAt: string
  /** Name of who deleted it, when it is known. */
  deletedBy: string | null
  /** After this nothing brings it back. */
  until: string
}
