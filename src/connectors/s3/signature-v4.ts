import { hmacBytes } from './hmac'
import { sha256Hex, toHex } from '../../lib/hash'

/** Keys of a bucket's owner. */
export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
/** A key of an object as a path. */
export const encodePath = (key: string): string => key.split('/').map(encodeSegment).join('/')
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Parameters in the order and the spelling that are signed. */
export const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => [encodeSegment(name), encodeSegment(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/**
 * Headers that sign a GET without a body: AWS Signature Version 4 (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 * `path` and `query` as they are sent.
 */
export async function signGet(
  keys: BucketKeys,
  of: { host: string; path: string; query: string; now: number },
): Promise<Record<string, string>> {
  const stamp = new Date(of.now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = stamp.slice(0, 8)
  const scope = `${day}/${keys.region}/s3/aws4_request`
  const signed = 'host;x-amz-content-sha256;x-amz-date'
  const headers = `host:${of.host}\nx-amz-content-sha256:${EMPTY_HASH}\nx-amz-date:${stamp}\n`
  const request = ['GET', of.path, of.query, headers, signed, EMPTY_HASH].join('\n')
  const text = ['AWS4-HMAC-SHA256', stamp, scope, await sha256Hex(request)].join('\n')
  let key: ArrayBuffer = await hmacBytes(Uint8Array.from(new TextEncoder().encode(`AWS4${keys.secretAccessKey}`)), day)
  for (const part of [keys.region, 's3', 'aws4_request']) key = await hmacBytes(new Uint8Array(key), part)
  const signature = toHex(await hmacBytes(new Uint8Array(key), text))
  return {
    'x-amz-date': stamp,
    'x-amz-content-sha256': EMPTY_HASH,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}
