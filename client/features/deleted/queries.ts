import { workspaceId } from '../../lib/session'
import { pagesQuery } from '../../lib/queries/query-options'
import { api } from '../../lib/api'
import type { DeletedItem } from '../../../src/shared/deleted'

/** What can still be brought back, the newest first. */
export const deletedQuery = () =>
  pagesQuery<DeletedItem>(['deleted', workspaceId()], (cursor, options) => {
    const query = { limit: '50', cursor }
    return api.api.deleted.$get({ query }, options)
  })
