import { Hono } from 'hono'
import { z } from 'zod'
import { importGroups, moveValues } from './member-edits'
import { previewGrouping } from './preview'
import { updateUnmatchedCount, listValues, suggestGroups } from './values'
import { deleteGrouping } from './removal'
import { createGrouping, getGrouping, listGroupings, restoreGrouping, updateGrouping } from './service'
import { contextOf } from '../../http/request-context'
import { withCalendar } from '../../semantic/calendar'
import { attachmentHeader, streamCsv } from '../../http/download'
import { actorOf, backgroundTasksOf, type AppContext, type AppEnv } from '../../http/context'
import { may, needs, within } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import { groupingCsvRows } from '../../shared/groupings/csv'
import {
  validityPeriodAt,
  createGroupingSchema,
  deleteGroupingSchema,
  VALIDITY_PERIODS_MAX,
  importGroupingSchema,
  listValuesSchema,
  moveMembersSchema,
  previewGroupingSchema,
  suggestGroupsSchema,
  updateGroupingSchema,
} from '../../shared/groupings/groupings'
import type { Grouping } from '../../shared/groupings/groupings'

const idOf = (c: AppContext): string => pathId('grouping', c.req.param('id') ?? '')
/** A definition with 20,000 values as JSON writes it. */
const BODY_MAX_BYTES = 3 * 1024 * 1024

/** What has no group is counted after the answer has left. */
function recountAfterResponse(c: AppContext, grouping: Grouping): Grouping {
  const context = withCalendar(contextOf(c))
  const { deps, scope } = context
  const counted = updateUnmatchedCount(context, grouping)
  backgroundTasksOf(c).waitUntil(
    counted.then(() => deps.live(scope).publish({ kind: 'changed', noun: 'grouping', id: grouping.id })),
  )
  return grouping
}

/** Values put together under names. Everybody sees through them; analysts make them. */
const groupings = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) => c.json(await listGroupings(contextOf(c)), 200))
  .post(
    '/',
    may('edit:grouping'),
    needs('dataGrouping'),
    within('groupings'),
    jsonBody(createGroupingSchema, BODY_MAX_BYTES),
    async (c) => c.json(recountAfterResponse(c, await createGrouping(contextOf(c, 201), c.req.valid('json'))), 201),
  )
  .get('/:id', may('view:insight'), async (c) => c.json(await getGrouping(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:grouping'), needs('dataGrouping'), jsonBody(updateGroupingSchema, BODY_MAX_BYTES), async (c) =>
    c.json(
      recountAfterResponse(c, await updateGrouping(contextOf(c), { id: idOf(c), input: c.req.valid('json') })),
      200,
    ),
  )
  .delete('/:id', may('edit:grouping'), needs('dataGrouping'), queryString(deleteGroupingSchema), async (c) =>
    c.json(await deleteGrouping(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/restore', may('edit:grouping'), needs('dataGrouping'), noBody(), async (c) =>
    c.json(await restoreGrouping(contextOf(c), idOf(c)), 200),
  )
  .get('/:id/values', may('view:insight'), queryString(listValuesSchema), async (c) =>
    c.json(await listValues(contextOf(c), { id: idOf(c), query: c.req.valid('query'), unmatched: false }), 200),
  )
  .get('/:id/unmatched', may('view:insight'), queryString(listValuesSchema), async (c) =>
    c.json(await listValues(contextOf(c), { id: idOf(c), query: c.req.valid('query'), unmatched: true }), 200),
  )
  .post(
    '/:id/preview',
    may('edit:grouping'),
    needs('dataGrouping'),
    jsonBody(previewGroupingSchema, BODY_MAX_BYTES),
    async (c) => c.json(await previewGrouping(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/suggest', may('edit:grouping'), needs('dataGrouping'), jsonBody(suggestGroupsSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'suggestGroups', key: actorOf(c).userId }])
    return c.json(await suggestGroups(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200)
  })
  .post(
    '/:id/members-move',
    may('edit:grouping'),
    needs('dataGrouping'),
    jsonBody(moveMembersSchema, BODY_MAX_BYTES),
    async (c) =>
      c.json(recountAfterResponse(c, await moveValues(contextOf(c), { id: idOf(c), input: c.req.valid('json') })), 200),
  )
  .post(
    '/:id/import',
    may('edit:grouping'),
    needs('dataGrouping'),
    jsonBody(importGroupingSchema, BODY_MAX_BYTES),
    async (c) => {
      const answer = await importGroups(contextOf(c), { id: idOf(c), input: c.req.valid('json') })
      if (answer.grouping) recountAfterResponse(c, answer.grouping)
      return c.json(answer, 200)
    },
  )

const exportSchema = z.strictObject({
  era: z.coerce
    .number()
    .int()
    .min(0)
    .max(VALIDITY_PERIODS_MAX - 1)
    .optional(),
})

/** `/files/groupings`: a period's groups to take along; the same file can be read in again. */
const groupingFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  queryString(exportSchema),
  async (c) => {
    const context = withCalendar(contextOf(c))
    const { name, eras } = await getGrouping(context, idOf(c))
    const { today } = context.calendar
    const era = eras[c.req.valid('query').era ?? validityPeriodAt(eras, today)] ?? { from: null, groups: [] }
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', attachmentHeader(`${name} ${today}.csv`))
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(streamCsv(csvLines(era)), 200)
  },
)
async function* csvLines(era: Parameters<typeof groupingCsvRows>[0]): AsyncGenerator<string[]> {
  for (const line of groupingCsvRows(era)) yield await Promise.resolve(line)
}

export const groupingRoutes = new Hono<AppEnv>()
  .route('/api/groupings', groupings)
  .route('/files/groupings', groupingFiles)
