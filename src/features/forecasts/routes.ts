import { Hono } from 'hono'
import { exportForecast } from './export'
import { prepareForecast } from './prepare'
import {
  getAccuracyLog,
  getRun,
  listRuns,
  requestRun,
  createForecast,
  deleteForecast,
  getForecast,
  listForecasts,
  saveScenarios,
  updateForecast,
} from './service'
import { withCalendar } from '../../semantic/calendar'
import { contextOf } from '../../http/request-context'
import { sendDownload } from '../../http/files/table-download'
import { actorOf, membershipOf, type AppContext, type AppEnv } from '../../http/context'
import { may, needs, within } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import {
  createForecastSchema,
  deleteForecastSchema,
  forecastExportSchema,
  listForecastsSchema,
  previewForecastSchema,
  saveScenariosSchema,
  updateForecastSchema,
} from '../../shared/forecasts/forecasts'
import { listQuerySchema } from '../../shared/field-schemas'

const idOf = (c: AppContext): string => pathId('forecast', c.req.param('id') ?? '')
/** What figures are likely to be. Everybody sees what was found by rights like theirs; analysts make forecasts. */
const forecasts = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listForecastsSchema), async (c) =>
    c.json(await listForecasts(contextOf(c), c.req.valid('query')), 200),
  )
  .post(
    '/',
    may('edit:forecast'),
    needs('forecasting'),
    within('activeForecasts'),
    jsonBody(createForecastSchema),
    async (c) => c.json(await createForecast(contextOf(c, 201), c.req.valid('json')), 201),
  )
  // It asks, and changes nothing: with the rights of whoever looks.
  .post('/preview', may('view:insight'), needs('forecasting'), jsonBody(previewForecastSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'previewForecast', key: actorOf(c).userId }])
    const { deps, scope, calendar } = withCalendar(contextOf(c))
    const { country } = membershipOf(c).settings
    const { prepared } = await prepareForecast(deps, { scope, calendar, country }, c.req.valid('json'))
    return c.json(prepared, 200)
  })
  .get('/:id', may('view:insight'), async (c) => c.json(await getForecast(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:forecast'), needs('forecasting'), jsonBody(updateForecastSchema), async (c) =>
    c.json(await updateForecast(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:forecast'), needs('forecasting'), queryString(deleteForecastSchema), async (c) =>
    c.json(await deleteForecast(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .put('/:id/scenarios', may('edit:forecast'), needs('forecasting'), jsonBody(saveScenariosSchema), async (c) =>
    c.json(await saveScenarios(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/run', may('edit:forecast'), needs('forecasting'), noBody(), async (c) => {
    const context = contextOf(c, 202)
    await enforceRateLimits(c, [{ rate: 'runForecast', key: context.scope.workspaceId }])
    return c.json(await requestRun(context, idOf(c)), 202)
  })
  .get('/:id/runs', may('view:insight'), queryString(listQuerySchema), async (c) =>
    c.json(await listRuns(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .get('/:id/runs/:runId', may('view:insight'), async (c) => {
    const runId = pathId('forecastRun', c.req.param('runId'))
    return c.json(await getRun(contextOf(c), { forecastId: idOf(c), runId }), 200)
  })
  .get('/:id/accuracy', may('view:insight'), async (c) =>
    c.json(await getAccuracyLog(withCalendar(contextOf(c)), idOf(c)), 200),
  )

/** `/files/forecasts`: what the newest run found, to take along. */
const forecastFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  queryString(forecastExportSchema),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'exportForecast', key: actorOf(c).userId }])
    const context = withCalendar(contextOf(c))
    const forecast = await getForecast(context, idOf(c))
    const result = forecast.ready?.result
    if (!result) throw new ProductError('not_found', {}, 'No run has found anything yet that you may see.')
    const { format } = c.req.valid('query')
    const file = exportForecast(
      { ...context, forecast, result, by: actorOf(c).name, numberLocale: context.membership.settings.numberLocale },
      format,
    )
    return sendDownload(c, file)
  },
)

export const forecastRoutes = new Hono<AppEnv>()
  .route('/api/forecasts', forecasts)
  .route('/files/forecasts', forecastFiles)
