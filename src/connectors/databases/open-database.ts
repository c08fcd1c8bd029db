import type { DatabaseClient } from './client'
import { loginOf } from './database-connector'
import type { DatabaseDriver } from './database-driver'
import { CLICKHOUSE_DRIVER } from '../clickhouse/clickhouse-driver'
import { MYSQL_DRIVER } from '../mysql/mysql-driver'
import { POSTGRES_DRIVER } from '../postgres/postgres-driver'
import type { Connection } from '../contract'
import type { Doors } from '../../outbound/doors'

/** Kinds whose rows may stay where they are. */
export type LiveKind = 'postgresql' | 'mysql' | 'clickhouse'
const DRIVERS: Record<LiveKind, DatabaseDriver> = {
  postgresql: POSTGRES_DRIVER,
  mysql: MYSQL_DRIVER,
  clickhouse: CLICKHOUSE_DRIVER,
}

export const isLiveKind = (kind: string): kind is LiveKind => kind in DRIVERS

/** A connection that reads, for questions that are put to a database. @throws SourceError, DoorError */
export const openDatabase = (doors: Doors, kind: LiveKind, connection: Connection): Promise<DatabaseClient> =>
  DRIVERS[kind].open(doors, loginOf(connection))
