import { createBucketServer } from './bucket-server.ts'
import { createFileServer, type FileServerFault } from './file-server.ts'

export const TEST_BUCKET = {
  ...{ bucket: 'test-bucket', region: 'eu-north-1' },
  ...{ accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-test-bucket' },
}
const FAULTS: ReadonlySet<string> = new Set<FileServerFault>(['down', 'auth', 'hang', 'cut', 'stall'])
const isFault = (name: string): name is FileServerFault => FAULTS.has(name)

const VISITS = 'day,page,visits\n2026-01-01,/start,120\n2026-01-02,/start,131\n2026-01-03,/prices,44\n'

/**
 * Files at `/files/…` and a bucket at `/test-bucket`, on a person's own machine. `POST /_sim/files/put/{name}` puts a file,
 * `POST /_sim/files/fail/{fault}` breaks the server, `POST /_sim/files/fail/none` mends it. Null: no call for them.
 */
export function createTestFiles(): (request: Request) => Promise<Response | null> {
  const files = createFileServer()
  const bucket = createBucketServer(TEST_BUCKET)
  files.put('/files/visits.csv', VISITS)
  for (const month of ['2026-01', '2026-02', '2026-03'])
    bucket.put(`sales/${month}.csv`, `day,amount\n${month}-01,100\n${month}-15,250\n`, `${month}-20T00:00:00.000Z`)
  return async (request) => {
    const { pathname } = new URL(request.url)
    const [, what, name = ''] = /^\/_sim\/files\/(put|fail)\/(.+)$/.exec(pathname) ?? []
    if (what === 'put') files.put(`/files/${name}`, await request.text())
    else if (what === 'fail') files.breakAs(isFault(name) ? name : null)
    else if (pathname.startsWith('/files/')) return files.answer(request)
    else if (pathname.startsWith(`/${TEST_BUCKET.bucket}`)) return bucket.answer(request)
    else return null
    return Response.json({ ok: true })
  }
}
