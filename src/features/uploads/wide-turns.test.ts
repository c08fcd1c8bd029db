import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { openUpload } from './open'
import { Scope } from '../../scope'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { uploadBytes } from '../../../test/worker/loads'
import { xlsxOf } from '../../../test/worker/workbooks'
import { bytesOf } from '../../../test/worker/zip'
import type { OpenedUpload } from '../../shared/data-sources/files'
import { SMALL_OPENING_MAX_BYTES } from '../../shared/limits'

const MB = 1024 * 1024

/** Opens a file; `onRead` is asked before each reading of the store. */
function openAs(me: SignedIn, id: string, onRead: (nth: number) => Promise<void>): Promise<OpenedUpload> {
  let reads = 0
  const files = new Proxy(env.FILES, {
    get(on, key) {
      const member: unknown = Reflect.get(on, key)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        if (key === 'get') await onRead(++reads)
        return Reflect.apply(member, on, args)
      }
    },
  })
  const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '' })
  return openUpload({ ...depsAt(Date.now()), files, clock: { now: Date.now } }, { scope, id, reply: () => null })
}

/** A workbook that unpacks to more than the smallest may, and is large enough to be allowed to. */
async function growingWorkbook(): Promise<Uint8Array> {
  const noise = Array.from({ length: 10_000 }, () => crypto.randomUUID()).join('')
  const blank = ' '.repeat(SMALL_OPENING_MAX_BYTES + 2 * MB)
  const rows = `<row><c t="inlineStr"><is><t>a</t></is></c></row>${blank}`
  return xlsxOf({ sheets: [{ name: 'S', rows }], parts: { 'noise.txt': noise } })
}

it('begins a zip that grows large again when another has the turn of large ones, and opens it after that', async () => {
  const [first, second] = [await signedIn(), await signedIn()]
  const lines = Array.from({ length: 8_000 }, (_, n) => `{"id":${n},"text":"${'x'.repeat(20)}"}`)
  const ids = [
    await uploadBytes(first, bytesOf(lines.join('\n')), 'wide.ndjson'),
    await uploadBytes(second, await growingWorkbook(), 'growing.xlsx'),
  ] as const
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const wide = openAs(first, ids[0], async (nth) => {
    if (nth < 2) return
    begun.resolve()
    await held.promise
  })
  await begun.promise
  let [reads, isDone] = [0, false]
  const growing = openAs(second, ids[1], async () => void reads++).finally(() => (isDone = true))
  const leases = () =>
    env.DB.prepare('SELECT opening_until AS until FROM uploads WHERE id = ?')
      .bind(ids[1])
      .first<{ until: number | null }>()
  // It is looked up by one read, takes the lease before its second one, and gives it back.
  while (reads < 2 || (await leases())?.until !== 0) await scheduler.wait(5)
  expect(isDone).toBe(false)
  const readOnce = reads
  held.resolve()
  expect((await growing).tables).toMatchObject([{ rowCount: 1 }])
  expect((await wide).tables).toMatchObject([{ rowCount: 8_000 }])
  expect(reads).toBeGreaterThan(readOnce)
})
