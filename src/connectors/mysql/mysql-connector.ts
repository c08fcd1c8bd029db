import { MYSQL_FLAVOUR } from './mysql-flavour'
import { databaseConnector } from '../databases/database-connector'

export const mysqlConnector = databaseConnector('mysql', MYSQL_FLAVOUR)
