import type { Connection, ConnectorContext } from '../../../src/connectors/contract'
import type { Doors } from '../../../src/outbound/doors'

/** A kind beside its emulator, as the contract tests use it. */
export interface ConnectorFixture {
  /** Credentials that work. At least one secret where the kind has any. */
  connection: Connection
  /** Keys of the installation; absent: none. */
  operator?: Readonly<Record<string, string>>
  /** Doors that lead to a fresh emulator with its data, of at least three rows in the first stream. */
  doors(): Doors | Promise<Doors>
  /** The same with credentials that the source refuses; absent: the kind has none. */
  refused?: Connection
  /** Its own tables, where other tests keep theirs in the same database; absent: all that are found. */
  tables?: readonly string[]
  /** Why the kind cannot be tested on this machine; absent: it can. */
  skipped?: string
}

export const FIXTURE_NOW = Date.parse('2026-06-15T12:00:00Z')

export const contextOf = (fixture: ConnectorFixture, doors: Doors): ConnectorContext => ({
  connection: fixture.connection,
  doors,
  operator: fixture.operator ?? {},
  clock: { now: () => FIXTURE_NOW },
  signal: new AbortController().signal,
})
