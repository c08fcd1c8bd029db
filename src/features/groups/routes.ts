import { Hono } from 'hono'
import { importMembers } from './member-import'
import { setGroupMembers, createGroup, deleteGroup, getGroup, listGroups, restoreGroup, updateGroup } from './service'
import { contextOf } from '../../http/request-context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs } from '../../http/guard'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  createGroupSchema,
  deleteGroupSchema,
  groupMembersSchema,
  importGroupsSchema,
  updateGroupSchema,
} from '../../shared/groups'

const groupIdOf = (c: AppContext): string => pathId('group', c.req.param('id') ?? '')
/** A list of 200,000 characters as JSON writes it. */
const IMPORT_MAX_BYTES = 1_024 * 1_024

/**
 * People in groups. Below the plan they stay as they are and in force: everything can be read, nothing changed.
 * Whether a manager may change a group's members is decided by the call itself.
 */
const groups = new Hono<AppEnv>()
  .get('/', may('view:member'), async (c) => c.json(await listGroups(contextOf(c)), 200))
  .post('/', may('edit:group'), needs('userGrouping'), jsonBody(createGroupSchema), async (c) =>
    c.json(await createGroup(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .post(
    '/import',
    may('edit:group'),
    needs('userGrouping'),
    jsonBody(importGroupsSchema, IMPORT_MAX_BYTES),
    async (c) => c.json(await importMembers(contextOf(c), c.req.valid('json')), 200),
  )
  .get('/:id', may('view:member'), async (c) => c.json(await getGroup(contextOf(c), groupIdOf(c)), 200))
  .put('/:id', may('edit:group'), needs('userGrouping'), jsonBody(updateGroupSchema), async (c) =>
    c.json(await updateGroup(contextOf(c), { id: groupIdOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:group'), needs('userGrouping'), queryString(deleteGroupSchema), async (c) =>
    c.json(await deleteGroup(contextOf(c), { id: groupIdOf(c), ...c.req.valid('query') }), 200),
  )
  .put('/:id/members', may('view:member'), needs('userGrouping'), jsonBody(groupMembersSchema), async (c) =>
    c.json(await setGroupMembers(contextOf(c), { id: groupIdOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/restore', may('edit:group'), needs('userGrouping'), noBody(), async (c) =>
    c.json(await restoreGroup(contextOf(c), groupIdOf(c)), 200),
  )

/** The calls of this feature. */
export const groupRoutes = new Hono<AppEnv>().route('/api/groups', groups)
