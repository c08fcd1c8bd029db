import { CLICKHOUSE_FLAVOUR } from './clickhouse-flavour'
import { databaseConnector } from '../databases/database-connector'

export const clickhouseConnector = databaseConnector('clickhouse', CLICKHOUSE_FLAVOUR)
