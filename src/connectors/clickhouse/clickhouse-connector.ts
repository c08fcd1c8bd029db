import { CLICKHOUSE_DRIVER } from './clickhouse-driver'
import { databaseConnector } from '../databases/database-connector'

export const clickhouseConnector = databaseConnector('clickhouse', CLICKHOUSE_DRIVER)
