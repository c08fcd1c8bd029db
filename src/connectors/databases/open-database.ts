import type { DatabaseClient } from './client'
import { loginOf } from './database-connector'
import type { SqlFlavour } from './sql-flavour'
import { CLICKHOUSE_FLAVOUR } from '../clickhouse/clickhouse-flavour'
import { MYSQL_FLAVOUR } from '../mysql/mysql-flavour'
import { POSTGRES_FLAVOUR } from '../postgres/postgres-flavour'
import type { Connection } from '../contract'
import type { Doors } from '../../outbound/doors'

/** Kinds whose rows may stay where they are. */
export type LiveKind = 'postgresql' | 'mysql' | 'clickhouse'
const FLAVOURS: Record<LiveKind, SqlFlavour> = {
  postgresql: POSTGRES_FLAVOUR,
  mysql: MYSQL_FLAVOUR,
  clickhouse: CLICKHOUSE_FLAVOUR,
}

export const isLiveKind = (kind: string): kind is LiveKind => kind in FLAVOURS

/** A connection that reads, for questions that are put to a database. @throws SourceError, DoorError */
export const openDatabase = (doors: Doors, kind: LiveKind, connection: Connection): Promise<DatabaseClient> =>
  FLAVOURS[kind].open(doors, loginOf(connection))
