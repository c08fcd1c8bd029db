import type { DatabaseClient, DatabaseLogin } from './client'
import { selectMistake, trimmedSelect } from './guarded-select'
import { readRowsOf, type ReadableRows } from './read-table'
import { DatabaseError, inWords } from './refusals'
import type { DatabaseDriver } from './database-driver'
import { changedColumn, streamOf, type DatabaseTable, type TableColumn } from './table-streams'
import {
  SourceError,
  type Connection,
  type Connector,
  type ConnectorContext,
  type LiveTable,
  type ReadPage,
  type ReadRequest,
} from '../contract'
import type {
  ConnectorDescription,
  ConnectorField,
  ConnectorKind,
  SourceStream,
} from '../../shared/data-sources/connectors'

/** Of one connection, as what it answers is held in memory: a server may send more than it was asked for. */
const BYTES_MAX = 64 * 1024 * 1024
const SELECT_STREAM = 'select'

const text = (key: string, label: string, more: Partial<ConnectorField> = {}): ConnectorField => ({
  ...{ key, label, control: 'text', required: true, secret: false, maxLength: 255 },
  ...more,
})

const fieldsOf = ({ port }: DatabaseDriver): ConnectorField[] => [
  text('host', 'Host', { placeholder: 'db.example.com', isTarget: true }),
  text('port', 'Port', { control: 'number', initial: String(port), maxLength: 5, isTarget: true }),
  text('database', 'Database'),
  text('user', 'User', { hint: 'Safest with read-only rights' }),
  text('password', 'Password', { control: 'password', secret: true, maxLength: 1000 }),
  text('what', 'Read', {
    control: 'choice',
    initial: 'tables',
    options: [
      { value: 'tables', label: 'Tables and views' },
      { value: 'select', label: 'One SELECT' },
    ],
  }),
  text('select', 'SELECT', { control: 'sql', when: { field: 'what', is: 'select' }, maxLength: 20_000 }),
]

const descriptionOf = (kind: ConnectorKind, driver: DatabaseDriver): ConnectorDescription => ({
  ...{ kind, title: driver.title, group: 'databases', auth: 'secrets', delivery: 'pull' },
  summary: `Tables, views or one SELECT of a ${driver.title} database`,
  fields: fieldsOf(driver),
  reads: [
    'The tables you choose, or what your SELECT answers',
    ...(driver.dialect === 'clickhouse' ? [] : ['Only changed rows where a table has a key and an updated-at column']),
    ...(driver.dialect === 'postgres' ? ['NaN and infinity as no value'] : []),
  ],
  never: [
    `Writes: every ${driver.dialect === 'clickhouse' ? 'statement' : 'transaction'} is read-only`,
    'Connects without TLS',
    'Runs a statement for more than 30 seconds',
  ],
})

export function loginOf({ settings, secrets }: Connection): DatabaseLogin {
  const { host = '', port = '', database = '', user = '', tls } = settings
  return {
    ...{ host: host.trim(), port: Number(port), database, user, password: secrets['password'] ?? '' },
    ...{ tls: tls === 'off' ? 'off' : 'required', maxBytes: BYTES_MAX },
  }
}

/** A database whose tables are read by SQL, in transactions that can write nothing. */
export function databaseConnector(kind: ConnectorKind, driver: DatabaseDriver): Connector {
  const connected = <T>(
    { connection, doors }: ConnectorContext,
    work: (client: DatabaseClient) => Promise<T>,
  ): Promise<T> => {
    const login = loginOf(connection)
    return inWords(login.host, async () => {
      const client = await driver.open(doors, login)
      try {
        return await work(client)
      } finally {
        await client.close()
      }
    })
  }
  return {
    describe: () => descriptionOf(kind, driver),
    check(settings) {
      const mistakes: Record<string, string> = {}
      const port = Number(settings['port'])
      if (!Number.isInteger(port) || port < 1 || port > 65_535) mistakes['port'] = 'Enter a port from 1 to 65535.'
      const wrong = isSelect(settings) ? selectMistake(settings['select'] ?? '') : null
      if (wrong !== null) mistakes['select'] = wrong
      return mistakes
    },
    test: (context) =>
      connected(context, async (client) => {
        await assertReadOnly(driver, client)
        await client.assertUncached?.()
        const { database = '', host = '' } = context.connection.settings
        const { settings } = context.connection
        if (isSelect(settings)) await driver.selected(client, trimmedSelect(settings['select'] ?? ''))
        const wide = await driver.mayWrite(client)
        const warnings = wide ? ['This user may also write. We never do, but a user who may only read is safer.'] : []
        return { account: `${database} at ${host}`, warnings }
      }),
    discover: (context) => connected(context, (client) => streamsOf(driver, client, context.connection)),
    read: (context, request) => connected(context, (client) => readPage(driver, client, { context, request })),
    live: (context, stream) => connected(context, (client) => liveTable(driver, client, stream)),
  }
}

const isSelect = (settings: Connection['settings']): boolean => settings['what'] === 'select'

/** A write is tried, and must fail because the transaction only reads. */
async function assertReadOnly(driver: DatabaseDriver, client: DatabaseClient): Promise<void> {
  const refusal = await client.query(driver.writeTest).then(
    () => null,
    (error: unknown) => error,
  )
  if (refusal instanceof DatabaseError && (refusal.refusal === 'read_only' || refusal.refusal === 'permission')) return
  if (refusal instanceof Error) throw refusal
  throw new SourceError('auth', {
    message: 'The database let us write in a read-only transaction.',
    mend: 'Connect with a user who may only read.',
  })
}

async function streamsOf(
  driver: DatabaseDriver,
  client: DatabaseClient,
  { settings }: Connection,
): Promise<SourceStream[]> {
  if (isSelect(settings)) {
    const columns = await driver.selected(client, trimmedSelect(settings['select'] ?? ''))
    return [
      {
        ...{
          key: SELECT_STREAM,
          label: 'SELECT',
          keyColumns: [],
          incrementalColumn: null,
          modes: ['replace'],
          proposed: true,
        },
        columns: columns.map(({ comparedAs: _comparedAs, ...column }) => column),
      },
    ]
  }
  const tables = await driver.tables(client)
  if (tables.length === 0)
    throw new SourceError('auth', {
      message: 'There is no table that this user may read.',
      mend: 'Grant the user SELECT on the tables to read.',
    })
  return tables.map((table) => streamOf(table, driver.homeSchema(settings['database'] ?? '')))
}

async function readPage(
  driver: DatabaseDriver,
  client: DatabaseClient,
  { context, request }: { context: ConnectorContext; request: ReadRequest },
): Promise<ReadPage> {
  const { stream, cursor, mode, budget } = request
  const rows = await readableRows(driver, client, { context, stream })
  return readRowsOf(driver, client, { rows, cursor, mode, budget, clock: context.clock })
}

/** @throws SourceError `drift` where the table is gone */
async function liveTable(driver: DatabaseDriver, client: DatabaseClient, stream: SourceStream): Promise<LiveTable> {
  const { schema, name, key, order = key, unique, columns } = await tableOf(driver, client, stream)
  const named = (is: (column: TableColumn) => boolean): string[] => columns.filter(is).map((column) => column.name)
  const numerics = named(({ type, comparedAs }) => type === 'integer' && comparedAs === 'numeric')
  const bytes = named((column) => driver.isOfBytes?.(column) === true)
  const known = { ...(numerics.length > 0 ? { numerics } : {}), ...(bytes.length > 0 ? { bytes } : {}) }
  return { dialect: driver.dialect, schema, table: name, rowKey: order, unique, ...known }
}

async function tableOf(driver: DatabaseDriver, client: DatabaseClient, { key }: SourceStream): Promise<DatabaseTable> {
  const table = (await driver.tables(client)).find(({ schema, name }) => `${schema}.${name}` === key)
  if (!table) throw new DatabaseError('missing', '')
  return table
}

/** What a stream is now, read with the columns that were agreed on. @throws SourceError `drift` where one is gone */
async function readableRows(
  driver: DatabaseDriver,
  client: DatabaseClient,
  { context, stream }: { context: ConnectorContext; stream: SourceStream },
): Promise<ReadableRows> {
  const { settings } = context.connection
  const wanted = stream.columns ?? []
  if (stream.key === SELECT_STREAM) {
    const select = trimmedSelect(settings['select'] ?? '')
    const found = await driver.selected(client, select)
    return { from: `(${select})`, columns: agreed(wanted, found), key: [], changed: null }
  }
  const table = await tableOf(driver, client, stream)
  const columns = agreed(wanted, table.columns)
  const from = `${driver.quote(table.schema)}.${driver.quote(table.name)}`
  return { from, columns, key: keyOf(table), changed: changedOf(table) }
}

const agreed = (wanted: readonly { name: string }[], found: readonly TableColumn[]): TableColumn[] =>
  wanted.map(({ name }) => {
    const column = found.find((each) => each.name === name)
    if (!column) throw new DatabaseError('missing', '')
    return column
  })

/** Columns that a table is read by, in their order; none where one cannot be compared. */
function keyOf({ key, columns }: DatabaseTable): TableColumn[] {
  const found = key.flatMap((name) => columns.find((each) => each.name === name) ?? [])
  return found.length === key.length && found.every(({ comparedAs }) => comparedAs !== null) ? found : []
}
function changedOf(table: DatabaseTable): TableColumn | null {
  const name = keyOf(table).length > 0 ? changedColumn(table.columns) : null
  return table.columns.find((each) => each.name === name) ?? null
}
