import { Hono } from 'hono'
import { categories } from './category-routes'
import { insightCuration, insightFiles, insights, starters } from './routes'
import type { AppEnv } from '../../http/context'

export const insightRoutes = new Hono<AppEnv>()
  .route('/api/insights', insights)
  .route('/api/insights', insightCuration)
  .route('/api/categories', categories)
  .route('/api/starters', starters)
  .route('/files/insights', insightFiles)
