import type { SourceLogin } from '../contract'
import type { WarehouseContext } from '../context'
import { findLivePlace, type CheckedPlace } from './live-places'
import type { SourceSlots } from './source-slots'
import { CLICKHOUSE } from '../pushdown/clickhouse'
import type { Dialect } from '../pushdown/dialect'
import type { ForeignDatabase, ForeignRow } from '../pushdown/foreign-database'
import { foreignSource } from '../pushdown/foreign-source'
import { MYSQL } from '../pushdown/mysql'
import { POSTGRES } from '../pushdown/postgres'
import { notLive } from '../pushdown/refusals'
import type { Statement } from '../pushdown/sql'
import type { FigureSource } from '../query/figure-source'
import { sourceErrorOf } from '../../connectors/failures'
import { SourceError } from '../../connectors/contract'
import type { DatabaseClient } from '../../connectors/databases/client'
import { openDatabase } from '../../connectors/databases/open-database'
import type { Doors } from '../../outbound/doors'
import { ProductError } from '../../shared/errors'

const DIALECTS: Record<CheckedPlace['dialect'], Dialect> = { postgres: POSTGRES, mysql: MYSQL, clickhouse: CLICKHOUSE }

export interface SessionHost {
  context: () => WarehouseContext
  doors: () => Doors
  slots: SourceSlots
}

/** The connection that one question has to the source of its rows: opened when a statement is put, closed with the question. */
export class SourceSession {
  readonly #host: SessionHost
  readonly #logins: readonly SourceLogin[]
  #opened: Promise<DatabaseClient> | null = null
  #release: (() => void) | null = null

  constructor(host: SessionHost, logins: readonly SourceLogin[] = []) {
    this.#host = host
    this.#logins = logins
  }

  /**
   * What answers for datasets whose rows stay at a source; null: all of them lie here.
   * @throws ProductError `query_too_complex` where some do and some do not, `expired` where how it is asked is not known
   */
  readonly sourceOf = (datasets: readonly string[]): FigureSource | null => {
    const places = datasets.map((id) => findLivePlace(this.#host.context(), id))
    const [first] = places.flatMap((place) => place ?? [])
    if (!first) return null
    if (places.some((place) => place?.sourceId !== first.sourceId))
      throw notLive('Other sources together with this one')
    return foreignSource(this.database(first))
  }

  /** @throws ProductError `expired` where how it is asked is not known */
  database({ sourceId, dialect }: Pick<CheckedPlace, 'sourceId' | 'dialect'>): ForeignDatabase {
    const login = this.#logins.find((each) => each.sourceId === sourceId)
    if (!login) throw new ProductError('expired', { what: 'login', ids: [sourceId] })
    return {
      dialect: DIALECTS[dialect],
      table: (id) => {
        const place = findLivePlace(this.#host.context(), id)
        return place?.sourceId === sourceId ? place.table : null
      },
      read: (statement, rowsMax) => this.#read(login, statement, rowsMax),
    }
  }

  async #read(login: SourceLogin, { text, values }: Statement, rowsMax: number): Promise<ForeignRow[]> {
    try {
      const client = await (this.#opened ??= this.#open(login))
      return (await client.query(text, values, rowsMax)).rows
    } catch (thrown) {
      // What follows begins with a connection of its own.
      await this.close()
      // Whoever may ask a question need not know where its rows lie.
      const error = sourceErrorOf(thrown, 'The database')
      throw error instanceof SourceError ? error.toProductError() : error
    }
  }

  async #open(login: SourceLogin): Promise<DatabaseClient> {
    this.#release = await this.#host.slots.take(login.sourceId)
    return openDatabase(this.#host.doors(), login.kind, login)
  }

  /** Once nobody asks any more. */
  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    const client = await opened?.catch(() => null)
    this.#release?.()
    this.#release = null
    await client?.close()
  }
}
