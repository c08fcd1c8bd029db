import { POSTGRES_FLAVOUR } from './postgres-flavour'
import { databaseConnector } from '../databases/database-connector'

export const postgresConnector = databaseConnector('postgresql', POSTGRES_FLAVOUR)
