import type { D1Migration } from '@cloudflare/vitest-plugin'
import type { Env } from '../../src/bindings'
import type { Warehouse } from '../../src/warehouse/warehouse'

declare global {
  namespace Cloudflare {
    interface Env extends BaseEnv {
      WAREHOUSE: DurableObjectNamespace<Warehouse>
      MIGRATIONS: D1Migration[]
      LONG: string
      HARDENING_COUNT: string
      HARDENING_SEED: string
      /** Of the tests of migrations: a database that starts empty. */
      EARLIER: D1Database
      /** The stand-in for Google and Microsoft. */
      OIDC: Fetcher
      /** Databases that statements are put to. */
      SQL_DOOR: Fetcher
      /** A server that answers as no decent one does, and what it has seen. */
      RUDE_DOOR: Fetcher
      /** Pools of connections to databases of the tests: without a password, and by one. */
      HYPERDRIVE_PGLITE: Hyperdrive
      HYPERDRIVE_POSTGRES: Hyperdrive
      /** '1' in the long run where the machine has a server of PostgreSQL. */
      HAS_POSTGRES: string
      /** '1' where the machine has a MariaDB. */
      HAS_MARIADB: string
      /** '1' where the machine has an engine of ClickHouse. */
      HAS_CLICKHOUSE: string
      /** Of the suites only: the kind asked for or '', the kinds whose folder is at hand, and the way to their files. */
      SUITE_KIND: string
      SUITE_FOLDERS: string[]
      SUITE_DOOR: Fetcher
    }
  }
}
type BaseEnv = Env
