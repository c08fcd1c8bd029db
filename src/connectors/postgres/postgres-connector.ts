import { POSTGRES_DRIVER } from './postgres-driver'
import { databaseConnector } from '../databases/database-connector'

export const postgresConnector = databaseConnector('postgresql', POSTGRES_DRIVER)
