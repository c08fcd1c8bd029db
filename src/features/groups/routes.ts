import { Hono } from 'hono'
import { importGroups } from './import'
import { setMembers } from './members'
import { createGroup, deleteGroup, getGroup, listGroups, restoreGroup, updateGroup } from './service'
import type { Ask } from './service'
import { asking } from '../../http/asking'
import { membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs } from '../../http/guard'
import { body, noBody, pathId, query } from '../../http/validate'
import {
  createGroupSchema,
  deleteGroupSchema,
  groupMembersSchema,
  importGroupsSchema,
  updateGroupSchema,
} from '../../shared/groups'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  membership: membershipOf(c),
})
const idOf = (c: AppContext): string => pathId('group', c.req.param('id') ?? '')
/** A list of 200,000 characters as JSON writes it. */
const IMPORT_MAX_BYTES = 1_024 * 1_024

/**
 * People in groups. Below the plan they stay as they are and in force: everything can be read, nothing changed.
 * Whether a manager may change a group's members is decided by the call itself.
 */
export const groups = new Hono<AppEnv>()
  .get('/', may('view:member'), async (c) => c.json(await listGroups(askOf(c)), 200))
  .post('/', may('edit:group'), needs('userGrouping'), body(createGroupSchema), async (c) =>
    c.json(await createGroup(askOf(c, 201), c.req.valid('json')), 201),
  )
  .post('/import', may('edit:group'), needs('userGrouping'), body(importGroupsSchema, IMPORT_MAX_BYTES), async (c) =>
    c.json(await importGroups(askOf(c), c.req.valid('json')), 200),
  )
  .get('/:id', may('view:member'), async (c) => c.json(await getGroup(askOf(c), idOf(c)), 200))
  .put('/:id', may('edit:group'), needs('userGrouping'), body(updateGroupSchema), async (c) =>
    c.json(await updateGroup(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:group'), needs('userGrouping'), query(deleteGroupSchema), async (c) =>
    c.json(await deleteGroup(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .put('/:id/members', may('view:member'), needs('userGrouping'), body(groupMembersSchema), async (c) =>
    c.json(await setMembers(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/restore', may('edit:group'), needs('userGrouping'), noBody(), async (c) =>
    c.json(await restoreGroup(askOf(c), idOf(c)), 200),
  )
