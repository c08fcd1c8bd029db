/** A bucket as S3 serves it: signed GETs, ListObjectsV2 in pages of two, objects. */
export interface BucketServer {
  answer(request: Request): Promise<Response>
  put(key: string, body: string, modifiedAt: string): void
}
interface BucketOptions {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const PAGE_KEYS = 2
const encoder = new TextEncoder()

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
}
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const digest = async (text: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Whether a request is signed with the bucket's keys (AWS Signature Version 4), worked out from the request alone. */
async function isSigned(request: Request, { region, accessKeyId, secretAccessKey }: BucketOptions): Promise<boolean> {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, id, day = '', zone, names = '', signature] = pattern.exec(request.headers.get('authorization') ?? '') ?? []
  if (id !== accessKeyId || zone !== region) return false
  const url = new URL(request.url)
  const headers = names
    .split(';')
    .map((name) => `${name}:${name === 'host' ? url.host : (request.headers.get(name) ?? '')}\n`)
  const body = request.headers.get('x-amz-content-sha256') ?? ''
  const canonical = [request.method, url.pathname, url.search.slice(1), headers.join(''), names, body].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers.get('x-amz-date') ?? '', scope, await digest(canonical)].join('\n')
  let key = await hmac(Uint8Array.from(encoder.encode(`AWS4${secretAccessKey}`)), day)
  for (const part of [region, 's3', 'aws4_request']) key = await hmac(key, part)
  return hex(await hmac(key, text)) === signature
}

export function createBucketServer(options: BucketOptions): BucketServer {
  const objects = new Map<string, { body: string; modifiedAt: string }>()
  const list = ({ searchParams }: URL): Response => {
    const prefix = searchParams.get('prefix') ?? ''
    const after = searchParams.get('continuation-token') ?? searchParams.get('start-after') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
    const shown = keys.slice(0, PAGE_KEYS)
    const contents = shown.map((key) => {
      const object = objects.get(key)
      return `<Contents><Key>${escape(key)}</Key><LastModified>${object?.modifiedAt}</LastModified><Size>${object?.body.length}</Size></Contents>`
    })
    const next =
      keys.length > shown.length ? `<NextContinuationToken>${escape(shown.at(-1) ?? '')}</NextContinuationToken>` : ''
    const xml = `<?xml version="1.0"?><ListBucketResult><Name>${options.bucket}</Name>${contents.join('')}${next}</ListBucketResult>`
    return new Response(xml, { headers: { 'content-type': 'application/xml' } })
  }
  return {
    put: (key, body, modifiedAt) => void objects.set(key, { body, modifiedAt }),
    async answer(request) {
      if (!(await isSigned(request, options)))
        return new Response('<Error><Code>SignatureDoesNotMatch</Code></Error>', { status: 403 })
      const url = new URL(request.url)
      const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/')
      if (bucket !== options.bucket) return new Response('<Error><Code>NoSuchBucket</Code></Error>', { status: 404 })
      if (rest.length === 0) return list(url)
      const object = objects.get(rest.join('/'))
      return object ? new Response(object.body) : new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 })
    },
  }
}
