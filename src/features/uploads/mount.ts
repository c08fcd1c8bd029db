import { Hono } from 'hono'
import { uploadFiles, uploads } from './routes'
import type { AppEnv } from '../../http/context'

export const uploadRoutes = new Hono<AppEnv>().route('/api/uploads', uploads).route('/files/uploads', uploadFiles)
