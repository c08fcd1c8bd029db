import type { UserGroup } from '../../../src/shared/groups'
import { api } from '../api'
import { workspaceId } from '../session'
import { jsonQuery } from './query-options'

/** Every group of the workspace, by name. */
export const groupsQuery = () =>
  jsonQuery<UserGroup[]>(['groups', 'list', workspaceId()], (options) => api.api.groups.$get({}, options))
