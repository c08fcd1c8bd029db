import { Hono } from 'hono'
import { dataSources, datasets, runFiles, runs } from './routes'
import type { AppEnv } from '../../http/context'

export const dataSourceRoutes = new Hono<AppEnv>()
  .route('/api/data-sources', dataSources)
  .route('/api/datasets', datasets)
  .route('/api/runs', runs)
  .route('/files/runs', runFiles)
