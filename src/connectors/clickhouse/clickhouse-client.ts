import { refusalOfCode } from './refusals'
import {
  ANSWER_WAIT_MS,
  STATEMENT_MAX_MS,
  type DatabaseAnswer,
  type DatabaseClient,
  type DatabaseLogin,
} from '../databases/client'
import { DatabaseError } from '../databases/refusals'
import { SourceError } from '../contract'
import type { Doors } from '../../outbound/doors'

/*
 * ClickHouse's HTTP interface (https://clickhouse.com/docs/interfaces/http): a statement is one call, its values are fields
 * of the form beside it, settings stand in the address.
 */
const ROWS_DEFAULT = 100_000
/** What the pushed-down statements are written for (`warehouse/pushdown/clickhouse.ts`), and what no statement may do. */
const SETTINGS = {
  // Settings may still be set, nothing may be written.
  readonly: '2',
  max_execution_time: String(STATEMENT_MAX_MS / 1_000),
  result_overflow_mode: 'break',
  join_use_nulls: '1',
  transform_null_in: '0',
  session_timezone: 'UTC',
  cast_keep_nullable: '1',
  // A total of no rows is no value, also of a column that has one in every row.
  aggregate_functions_null_for_empty: '1',
  // An answer begins once all of it is there: what goes wrong is said by its status.
  wait_end_of_query: '1',
  default_format: 'JSONCompactEachRow',
}

/** Values of a form are read as tab-separated text is. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
}
/** A value as the form tells it. */
export const formValue = (value: string): string =>
  value.replaceAll(/[\\\t\n\r\u0008\f\0]/g, (char) => ESCAPES[char] ?? char)

const basic = ({ user, password }: DatabaseLogin): string =>
  `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${user}:${password}`)))}`

/** A row of an answer: an array of JSON a line. @throws SourceError for what is none */
function rowOf(line: string): (string | null)[] {
  const cells: unknown = JSON.parse(line)
  if (!Array.isArray(cells)) throw new TypeError('A row is a list.')
  return cells.map((cell) => (cell === null ? null : String(cell)))
}

function rowsOf(text: string): (string | null)[][] {
  try {
    return text.split('\n').flatMap((line) => (line === '' ? [] : [rowOf(line)]))
  } catch {
    throw new SourceError('down', {
      message: 'The server answered something else than rows.',
      mend: 'Check that host and port are of the HTTPS interface of ClickHouse.',
    })
  }
}

/** Asks by calls of their own: there is no connection to keep. */
export function openClickhouse(doors: Doors, login: DatabaseLogin): Promise<DatabaseClient> {
  const scheme = login.tls === 'off' ? 'http' : 'https'
  const query = async (
    text: string,
    values: readonly string[] = [],
    rowsMax = ROWS_DEFAULT,
  ): Promise<DatabaseAnswer> => {
    const settings = { ...SETTINGS, database: login.database, max_result_rows: String(rowsMax) }
    const form = new FormData()
    form.append('query', text)
    for (const [at, value] of values.entries()) form.append(`param_p${at + 1}`, formValue(value))
    // The form's own boundary is part of what is sent.
    const sent = new Response(form)
    const answer = await doors.http({
      url: `${scheme}://${login.host}:${login.port}/?${new URLSearchParams(settings).toString()}`,
      method: 'POST',
      headers: { authorization: basic(login), 'content-type': sent.headers.get('content-type') ?? '' },
      body: new Uint8Array(await sent.arrayBuffer()),
      maxBytes: login.maxBytes,
      deadlineMs: ANSWER_WAIT_MS,
    })
    if (answer.status !== 200) {
      await answer.body.cancel()
      const code = answer.headers.get('x-clickhouse-exception-code') ?? ''
      const isRefused = answer.status === 401 || answer.status === 403
      throw new DatabaseError(code === '' && isRefused ? 'password' : refusalOfCode(Number(code)), code)
    }
    // Rows come in blocks: the last one may hold more than were asked for.
    return { columns: [], rows: rowsOf(await answer.text()).slice(0, rowsMax) }
  }
  return Promise.resolve({ query, close: () => Promise.resolve() })
}
