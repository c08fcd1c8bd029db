import { parseHeaderLines } from './header-lines'
import {
  SourceError,
  type Connector,
  type ConnectorContext,
  type Cursor,
  type ReadPage,
  type ReadRequest,
} from '../contract'
import { assertAnswered, sourceErrorOf } from '../failures'
import type { DoorResponse } from '../../outbound/doors'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

const FILE_MAX_BYTES = 50 * 1024 * 1024

const DESCRIPTION: ConnectorDescription = {
  kind: 'url',
  title: 'Web address',
  summary: 'A CSV, JSON, Excel or Parquet file at an https address',
  group: 'files',
  auth: 'secrets',
  fields: [
    {
      key: 'url',
      label: 'Address',
      control: 'url',
      placeholder: 'https://example.com/orders.csv',
      required: true,
      secret: false,
      maxLength: 2000,
      isTarget: true,
    },
    {
      key: 'headers',
      label: 'Request headers',
      control: 'lines',
      hint: 'One per line, such as Authorization: Bearer …',
      required: false,
      secret: true,
      maxLength: 8000,
    },
  ],
  reads: ['The file at the address, up to 50 MB', 'Only if it changed since the last sync'],
  never: ['Sends anything but your headers', 'Follows links inside the file'],
  delivery: 'pull',
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'The address')
function fileNameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name) || 'file'
  } catch {
    // An address may hold bytes that are no text, and a redirect may lead to one.
    return name
  }
}

async function call(context: ConnectorContext, conditions: Record<string, string> = {}): Promise<DoorResponse> {
  const { url = '' } = context.connection.settings
  const { headers } = parseHeaderLines(context.connection.secrets['headers'] ?? '')
  try {
    const asked = { url, headers: { accept: '*/*', ...headers, ...conditions }, maxBytes: FILE_MAX_BYTES }
    const response = await context.doors.http(asked)
    if (response.status !== 304) assertAnswered(response, hostOf(url), context.clock.now())
    return response
  } catch (error) {
    throw sourceErrorOf(error, hostOf(url))
  }
}

/** What the server gave to ask by later whether the file is still the same. */
function validatorsOf(headers: Headers): Cursor | null {
  const etag = headers.get('etag')
  const modified = headers.get('last-modified')
  return etag === null && modified === null ? null : { etag, modified }
}

function conditionsOf(cursor: Cursor | null): Record<string, string> {
  const etag = cursor?.['etag']
  const modified = cursor?.['modified']
  return {
    ...(typeof etag === 'string' ? { 'if-none-match': etag } : {}),
    ...(typeof modified === 'string' ? { 'if-modified-since': modified } : {}),
  }
}

export const urlConnector: Connector = {
  describe: () => DESCRIPTION,

  check(settings) {
    const { url = '' } = settings
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return { url: 'Enter an https address' }
    return new URL(url).username === '' ? {} : { url: 'Put sign-in details in a header, not in the address' }
  },

  async test(context) {
    const { problem } = parseHeaderLines(context.connection.secrets['headers'] ?? '')
    if (problem !== null)
      throw new SourceError('auth', { message: problem, mend: 'Enter one header a line, Name: value.' })
    const response = await call(context)
    await response.body.cancel()
    return { warnings: [] }
  },

  discover(context): Promise<SourceStream[]> {
    const label = fileNameOf(context.connection.settings['url'] ?? '')
    const found = { columns: null, keyColumns: [], incrementalColumn: null, modes: ['replace', 'append'] as const }
    return Promise.resolve([{ key: 'file', label, ...found, proposed: true }])
  },

  async read(context, request: ReadRequest): Promise<ReadPage> {
    const response = await call(context, conditionsOf(request.cursor))
    if (response.status === 304) {
      await response.body.cancel()
      return { kind: 'unchanged', cursor: request.cursor, done: true }
    }
    const file = { name: fileNameOf(response.url), body: response.body }
    return { kind: 'file', file, cursor: validatorsOf(response.headers), done: true }
  },
}
