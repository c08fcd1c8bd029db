import { Hono } from 'hono'
import { z } from 'zod'
import { importGroups, moveValues } from './members'
import { previewGrouping } from './preview'
import { recount } from './recount'
import { deleteGrouping } from './remove'
import { createGrouping, getGrouping, listGroupings, restoreGrouping, updateGrouping } from './service'
import type { Ask } from './service'
import { listValues, lookingOf, suggestGroups } from './values'
import { asking } from '../../http/asking'
import { attachment } from '../../http/attachment'
import { actorOf, membershipOf, waiterOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { csvStream } from '../../http/csv-stream'
import { may, needs, within } from '../../http/guard'
import { body, noBody, pathId, query } from '../../http/validate'
import { groupingLines } from '../../shared/grouping-csv'
import { eraAt } from '../../shared/grouping-tree'
import {
  createGroupingSchema,
  deleteGroupingSchema,
  ERAS_MAX,
  importGroupingSchema,
  listValuesSchema,
  moveMembersSchema,
  previewGroupingSchema,
  suggestSchema,
  updateGroupingSchema,
} from '../../shared/groupings'
import type { Grouping } from '../../shared/groupings'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  actor: actorOf(c),
  membership: membershipOf(c),
})
const idOf = (c: AppContext): string => pathId('grouping', c.req.param('id') ?? '')
/** A definition with 20,000 values as JSON writes it. */
const BODY_MAX_BYTES = 3 * 1024 * 1024

/** What has no group is counted after the answer has left. */
function counting(c: AppContext, grouping: Grouping): Grouping {
  const { deps, scope } = askOf(c)
  const counted = recount(lookingOf(askOf(c)), grouping)
  waiterOf(c).waitUntil(
    counted.then(() => deps.live(scope).tell({ kind: 'changed', noun: 'grouping', id: grouping.id })),
  )
  return grouping
}

/** Values put together under names. Everybody sees through them; analysts make them. */
export const groupings = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) => c.json(await listGroupings(askOf(c)), 200))
  .post(
    '/',
    may('edit:grouping'),
    needs('dataGrouping'),
    within('groupings'),
    body(createGroupingSchema, BODY_MAX_BYTES),
    async (c) => c.json(counting(c, await createGrouping(askOf(c, 201), c.req.valid('json'))), 201),
  )
  .get('/:id', may('view:insight'), async (c) => c.json(await getGrouping(askOf(c), idOf(c)), 200))
  .put('/:id', may('edit:grouping'), needs('dataGrouping'), body(updateGroupingSchema, BODY_MAX_BYTES), async (c) =>
    c.json(counting(c, await updateGrouping(askOf(c), { id: idOf(c), input: c.req.valid('json') })), 200),
  )
  .delete('/:id', may('edit:grouping'), needs('dataGrouping'), query(deleteGroupingSchema), async (c) =>
    c.json(await deleteGrouping(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/restore', may('edit:grouping'), needs('dataGrouping'), noBody(), async (c) =>
    c.json(await restoreGrouping(askOf(c), idOf(c)), 200),
  )
  .get('/:id/values', may('view:insight'), query(listValuesSchema), async (c) =>
    c.json(await listValues(askOf(c), { id: idOf(c), query: c.req.valid('query'), unmatched: false }), 200),
  )
  .get('/:id/unmatched', may('view:insight'), query(listValuesSchema), async (c) =>
    c.json(await listValues(askOf(c), { id: idOf(c), query: c.req.valid('query'), unmatched: true }), 200),
  )
  .post(
    '/:id/preview',
    may('edit:grouping'),
    needs('dataGrouping'),
    body(previewGroupingSchema, BODY_MAX_BYTES),
    async (c) => c.json(await previewGrouping(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/suggest', may('edit:grouping'), needs('dataGrouping'), body(suggestSchema), async (c) =>
    c.json(await suggestGroups(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post(
    '/:id/members-move',
    may('edit:grouping'),
    needs('dataGrouping'),
    body(moveMembersSchema, BODY_MAX_BYTES),
    async (c) => c.json(counting(c, await moveValues(askOf(c), { id: idOf(c), input: c.req.valid('json') })), 200),
  )
  .post(
    '/:id/import',
    may('edit:grouping'),
    needs('dataGrouping'),
    body(importGroupingSchema, BODY_MAX_BYTES),
    async (c) => {
      const answer = await importGroups(askOf(c), { id: idOf(c), input: c.req.valid('json') })
      if (answer.grouping) counting(c, answer.grouping)
      return c.json(answer, 200)
    },
  )

const exportSchema = z.strictObject({
  era: z.coerce
    .number()
    .int()
    .min(0)
    .max(ERAS_MAX - 1)
    .optional(),
})

/** `/files/groupings`: a period's groups to take along; the same file can be read in again. */
export const groupingFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  query(exportSchema),
  async (c) => {
    const ask = askOf(c)
    const { name, eras } = await getGrouping(ask, idOf(c))
    const { today } = lookingOf(ask).calendar
    const era = eras[c.req.valid('query').era ?? eraAt(eras, today)] ?? { from: null, groups: [] }
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', attachment(`${name} ${today}.csv`))
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(csvStream(linesOf(era)), 200)
  },
)
async function* linesOf(era: Parameters<typeof groupingLines>[0]): AsyncGenerator<string[]> {
  for (const line of groupingLines(era)) yield await Promise.resolve(line)
}
