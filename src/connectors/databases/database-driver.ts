import type { DatabaseClient, DatabaseLogin } from './client'
import type { DatabaseTable, TableColumn } from './table-streams'
import type { LiveTable } from '../contract'
import type { Doors } from '../../outbound/doors'

/** What differs between databases that are read by SQL. */
export interface DatabaseDriver {
  title: string
  /** In which statements are put to it. */
  dialect: LiveTable['dialect']
  port: number
  /** The schema whose tables need no schema before their names. */
  homeSchema(database: string): string
  open(doors: Doors, login: DatabaseLogin): Promise<DatabaseClient>
  /** A name of the catalogue, quoted. */
  quote(name: string): string
  tables(client: DatabaseClient): Promise<DatabaseTable[]>
  /** The columns of a SELECT. */
  selected(client: DatabaseClient, text: string): Promise<TableColumn[]>
  /** A stored cell as canonical text; NULL for what no canonical text has. */
  canonical(cell: string, column: TableColumn): string
  /** Whether a column is of bytes, which are read as digits. Absent: the database itself writes them so. */
  isOfBytes?(column: TableColumn): boolean
  /** A cell as text that {@link DatabaseDriver.value} takes back. */
  kept(cell: string): string
  /** The n-th value of a statement, from 1 on, as the column is compared with it. */
  value(place: number, column: TableColumn): string
  /** The same moment a while earlier. */
  earlier(value: string): string
  /** A statement that would write; where it is let through, nothing is changed. */
  writeTest: string
  /** Whether the user may write anything. */
  mayWrite(client: DatabaseClient): Promise<boolean>
}
