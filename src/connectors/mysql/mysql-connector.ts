import { MYSQL_DRIVER } from './mysql-driver'
import { databaseConnector } from '../databases/database-connector'

export const mysqlConnector = databaseConnector('mysql', MYSQL_DRIVER)
