import { Hono } from 'hono'
import { exportForecast } from './export'
import { prepare } from './prepare'
import { accuracyLog, getRun, listRuns } from './reading'
import {
  askForRun,
  createForecast,
  deleteForecast,
  getForecast,
  listForecasts,
  saveScenarios,
  updateForecast,
} from './service'
import type { Ask } from './service'
import { calendarOf } from '../../access/calendar'
import { asking } from '../../http/asking'
import { attachment } from '../../http/attachment'
import { actorOf, membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs, within } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body, noBody, pathId, query } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import {
  createForecastSchema,
  deleteForecastSchema,
  forecastExportSchema,
  listForecastsSchema,
  previewForecastSchema,
  saveScenariosSchema,
  updateForecastSchema,
} from '../../shared/forecasts'
import { listQuerySchema } from '../../shared/names'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  actor: actorOf(c),
  membership: membershipOf(c),
})
const idOf = (c: AppContext): string => pathId('forecast', c.req.param('id') ?? '')
const lookingOf = (c: AppContext) => ({ ...askOf(c), calendar: calendarOf(membershipOf(c), c.get('deps').clock) })

/** What figures are likely to be. Everybody sees what was found by rights like theirs; analysts make forecasts. */
export const forecasts = new Hono<AppEnv>()
  .get('/', may('view:insight'), query(listForecastsSchema), async (c) =>
    c.json(await listForecasts(askOf(c), c.req.valid('query')), 200),
  )
  .post(
    '/',
    may('edit:forecast'),
    needs('forecasting'),
    within('activeForecasts'),
    body(createForecastSchema),
    async (c) => c.json(await createForecast(askOf(c, 201), c.req.valid('json')), 201),
  )
  // It asks, and changes nothing: with the rights of whoever looks.
  .post('/preview', may('view:insight'), needs('forecasting'), body(previewForecastSchema), async (c) => {
    await takeTries(c, [{ rate: 'previewForecast', of: actorOf(c).userId }])
    const { deps, scope, calendar } = lookingOf(c)
    const { country } = membershipOf(c).settings
    const { prepared } = await prepare(deps, { scope, calendar, country }, c.req.valid('json'))
    return c.json(prepared, 200)
  })
  .get('/:id', may('view:insight'), async (c) => c.json(await getForecast(askOf(c), idOf(c)), 200))
  .put('/:id', may('edit:forecast'), needs('forecasting'), body(updateForecastSchema), async (c) =>
    c.json(await updateForecast(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:forecast'), needs('forecasting'), query(deleteForecastSchema), async (c) =>
    c.json(await deleteForecast(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .put('/:id/scenarios', may('edit:forecast'), needs('forecasting'), body(saveScenariosSchema), async (c) =>
    c.json(await saveScenarios(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/run', may('edit:forecast'), needs('forecasting'), noBody(), async (c) => {
    const ask = askOf(c, 202)
    await takeTries(c, [{ rate: 'runForecast', of: ask.scope.workspaceId }])
    return c.json(await askForRun(ask, idOf(c)), 202)
  })
  .get('/:id/runs', may('view:insight'), query(listQuerySchema), async (c) =>
    c.json(await listRuns(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .get('/:id/runs/:runId', may('view:insight'), async (c) => {
    const runId = pathId('forecastRun', c.req.param('runId'))
    return c.json(await getRun(askOf(c), { forecastId: idOf(c), runId }), 200)
  })
  .get('/:id/accuracy', may('view:insight'), async (c) => c.json(await accuracyLog(lookingOf(c), idOf(c)), 200))

/** `/files/forecasts`: what the newest run found, to take along. */
export const forecastFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  query(forecastExportSchema),
  async (c) => {
    await takeTries(c, [{ rate: 'exportForecast', of: actorOf(c).userId }])
    const ask = lookingOf(c)
    const forecast = await getForecast(ask, idOf(c))
    const result = forecast.ready?.result
    if (!result) throw new ProductError('not_found', {}, 'No run has found anything yet that you may see.')
    const { format } = c.req.valid('query')
    const file = exportForecast({ ...ask, forecast, result, by: actorOf(c).name }, format)
    c.header('Content-Type', file.contentType)
    c.header('Content-Disposition', attachment(file.fileName))
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(file.body, 200)
  },
)
