import { byChange, cursorAfter, planBucketPass } from './bucket-pass'
import { parseObjectList, matchesPattern, type BucketObject } from './object-list'
import { canonicalQuery, encodePath, signGet } from './signature-v4'
import { SourceError, type Connector, type ConnectorContext, type ReadPage } from '../contract'
import { assertAnswered, sourceErrorOf } from '../failures'
import type { DoorResponse } from '../../outbound/doors'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

const FILE_MAX_BYTES = 200 * 1024 * 1024
const LIST_MAX_BYTES = 4 * 1024 * 1024
/** Objects looked through at one call of `read`. */
const PAGES_MAX = 20

const DESCRIPTION: ConnectorDescription = {
  kind: 's3',
  title: 'S3 bucket',
  summary: 'CSV, JSON, Excel or Parquet files in S3, R2 or a compatible store',
  group: 'files',
  auth: 'secrets',
  fields: [
    {
      ...{ key: 'endpoint', label: 'Endpoint', control: 'url', required: true, secret: false },
      isTarget: true,
      placeholder: 'https://s3.eu-north-1.amazonaws.com',
    },
    {
      key: 'region',
      label: 'Region',
      control: 'text',
      hint: '“auto” for R2',
      required: true,
      secret: false,
      initial: 'auto',
    },
    { key: 'bucket', label: 'Bucket', control: 'text', required: true, secret: false, maxLength: 63 },
    {
      ...{ key: 'pattern', label: 'Files', control: 'text', required: true, secret: false, initial: '*.csv' },
      hint: '* is any text, such as orders/*.csv',
    },
    { key: 'accessKeyId', label: 'Access key ID', control: 'text', required: true, secret: true },
    { key: 'secretAccessKey', label: 'Secret access key', control: 'password', required: true, secret: true },
  ],
  reads: [
    'Files that match the pattern, up to 200 MB each',
    'After the first sync, new files only, appended',
    'All files again when one that was read has changed',
  ],
  never: ['Writes to the bucket or deletes from it', 'Reads files outside the pattern'],
  delivery: 'pull',
}

async function call(
  context: ConnectorContext,
  of: { key: string; query: Record<string, string>; maxBytes: number },
): Promise<DoorResponse> {
  const { settings, secrets } = context.connection
  const { endpoint = '', bucket = '', region = 'auto' } = settings
  const title = `Bucket ${bucket}`
  try {
    const base = new URL(endpoint)
    const path = `/${encodePath(bucket)}${of.key === '' ? '' : `/${encodePath(of.key)}`}`
    const query = canonicalQuery(of.query)
    const keys = {
      accessKeyId: secrets['accessKeyId'] ?? '',
      secretAccessKey: secrets['secretAccessKey'] ?? '',
      region,
    }
    const headers = await signGet(keys, { host: base.host, path, query, now: context.clock.now() })
    const url = `${base.origin}${path}${query === '' ? '' : `?${query}`}`
    const response = await context.doors.http({ url, headers, maxBytes: of.maxBytes, deadlineMs: 60_000 })
    assertAnswered(response, title, context.clock.now())
    return response
  } catch (error) {
    throw sourceErrorOf(error, title)
  }
}

/** The part of a pattern before its first star: what the store itself looks for. */
const prefixOf = (pattern: string): string => pattern.split('*')[0] ?? ''

async function list(
  context: ConnectorContext,
  from: { after?: string; token?: string; most?: number },
): Promise<{ objects: BucketObject[]; token: string | null }> {
  const { pattern = '*' } = context.connection.settings
  const query = {
    'list-type': '2',
    prefix: prefixOf(pattern),
    ...(from.after === undefined ? {} : { 'start-after': from.after }),
    ...(from.token === undefined ? {} : { 'continuation-token': from.token }),
    ...(from.most === undefined ? {} : { 'max-keys': String(from.most) }),
  }
  const text = await (await call(context, { key: '', query, maxBytes: LIST_MAX_BYTES })).text()
  const { objects, token } = parseObjectList(text)
  return { objects: objects.filter(({ key, size }) => size > 0 && matchesPattern(key, pattern)), token }
}

/** Every object that fits the pattern, the oldest change first. */
async function allObjects(context: ConnectorContext): Promise<BucketObject[]> {
  const found: BucketObject[] = []
  let token: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer: { objects: BucketObject[]; token: string | null } = await list(
      context,
      token === null ? {} : { token },
    )
    found.push(...answer.objects)
    token = answer.token
    if (token === null) return found.toSorted(byChange)
  }
  throw new SourceError('too_large', {
    message: 'The pattern matches too many files.',
    mend: 'Narrow the pattern to fewer files.',
  })
}

export const s3Connector: Connector = {
  describe: () => DESCRIPTION,

  check(settings) {
    const { endpoint = '', bucket = '' } = settings
    if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:' || new URL(endpoint).pathname !== '/')
      return { endpoint: 'Enter an https address without a path' }
    if (new URL(endpoint).username !== '') return { endpoint: 'Leave sign-in details out of the address' }
    return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ? {} : { bucket: 'Enter the name of a bucket' }
  },

  async test(context) {
    const { objects } = await list(context, { most: 100 })
    return {
      account: context.connection.settings['bucket'] ?? '',
      warnings: objects.length === 0 ? ['No file matches the pattern yet.'] : [],
    }
  },

  discover(context): Promise<SourceStream[]> {
    const { pattern = '*' } = context.connection.settings
    const found = { columns: null, keyColumns: [], incrementalColumn: null, modes: ['append'] as const }
    return Promise.resolve([{ key: 'files', label: pattern, ...found, proposed: true }])
  },

  async read(context, { cursor }): Promise<ReadPage> {
    const pass = planBucketPass(await allObjects(context), cursor)
    const [next] = pass.left
    if (!next) return { kind: 'unchanged', cursor, done: true }
    const { body } = await call(context, { key: next.key, query: {}, maxBytes: FILE_MAX_BYTES })
    const name = next.key.split('/').at(-1) ?? next.key
    return {
      kind: 'file',
      file: { name, body },
      cursor: cursorAfter(pass, next),
      reloads: pass.reloads,
      done: pass.left.length === 1,
    }
  },
}
