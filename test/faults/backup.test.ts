import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { afterAll, expect, inject } from 'vitest'
import { Person } from '../http/person.ts'
import { createStateDirectory, startServer } from '../http/server.ts'
import { itLong } from '../long.ts'
import type { DataSource } from '../../src/shared/data-sources/data-sources.ts'

const EMAIL = 'backup@example.com'
const ROWS = 20_000
const TEXTS = ['Åsa', 'Bo; "Co"', '東京', '', "O'Hara", 'line\nbreak']
const csv = (): Blob => {
  const line = (n: number): string => {
    const text = TEXTS[n % TEXTS.length] ?? ''
    const day = new Date(Date.UTC(2023, 0, 1 + (n % 900))).toISOString().slice(0, 10)
    return `${n},${day},"${text.replaceAll('"', '""')}",${n % 17 === 0 ? '' : (n * 7919) % 100_000}.${10 + (n % 90)}`
  }
  const lines = Array.from({ length: ROWS }, (_, n) => line(n).replace(/,\.\d\d$/, ','))
  return new Blob([['order_id,day,customer,amount', ...lines].join('\n')])
}
const [first, second, fresh] = [0, 1, 2].map(() => createStateDirectory(inject('unused')))
afterAll(() => [first, second, fresh].forEach((state) => state?.remove()))

/** The files of a zip whose entries are stored as they are, by name. */
function storedEntries(zip: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  let at = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map((by) => zip.readUInt16LE(at + by)),
    ]
    const from = zip.readUInt32LE(at + 42)
    const dataAt = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28)
    expect(zip.readUInt16LE(at + 10)).toBe(0)
    entries.set(zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0)), zip.subarray(dataAt, dataAt + size))
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

/** What names the download, tells when somebody was here last, or is still being found. */
const PASSING = new Set(['README.txt', 'workspace.json', 'findings.json'])

/** Everything in the person's workspace, each file by the digest of its bytes. */
async function archiveOf(person: Person): Promise<{ files: Map<string, Buffer>; digests: Record<string, string> }> {
  const answer = await person.send('GET', '/files/workspace/export')
  expect(answer.status).toBe(200)
  const files = storedEntries(Buffer.from(await answer.arrayBuffer()))
  const digest = ([name, bytes]: [string, Buffer]) => [name, createHash('sha256').update(bytes).digest('hex')] as const
  const told = [...files].filter(([name]) => !PASSING.has(name))
  return { files, digests: Object.fromEntries(told.map(digest)) }
}

async function load(person: Person, name: string, file: Blob): Promise<DataSource> {
  const uploadId = await person.upload(`${name}.csv`, file)
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({ name, tables: [{ name, uploadId, settings, columns }] })
  const [run] = source.lastRuns
  if (run) expect((await person.finished(run.id)).state).toBe('succeeded')
  return source
}

itLong(
  'a copy of the disk, and the archive of a workspace, give the same rows in a fresh instance (STO-5)',
  async () => {
    if (!first || !second || !fresh) throw new Error('There is no folder.')
    let server = await startServer(first.path)
    const owner = new Person(server.address)
    await owner.register(EMAIL)
    const source = await load(owner, 'Orders', csv())
    const [dataset] = source.datasets
    const amount = dataset?.columns.find(({ label }) => label === 'amount')
    if (!dataset || !amount) throw new Error('There is no table.')
    const plan = {
      ...{ v: 2 as const, kind: 'aggregate' as const, filters: [], dimensions: [] },
      measures: [{ kind: 'column' as const, agg: 'sum' as const, field: { dataset: dataset.id, column: amount.key } }],
    }
    await owner.call('POST', '/api/insights', { name: 'Order value', description: '', plan, viz: { chart: 'number' } })
    const [before, sum] = [await archiveOf(owner), (await owner.query(plan)).rows]
    await server.stop()

    cpSync(first.path, second.path, { recursive: true, force: true })
    server = await startServer(second.path)
    const restored = new Person(server.address)
    await restored.signIn(EMAIL)
    expect((await archiveOf(restored)).digests).toEqual(before.digests)
    expect((await restored.query(plan)).rows).toEqual(sum)
    await server.stop()

    server = await startServer(fresh.path)
    const other = new Person(server.address)
    await other.register('other.backup@example.com')
    const tables = [...before.files].filter(([name]) => name.startsWith('data/'))
    expect(tables).toHaveLength(1)
    for (const [, bytes] of tables) await load(other, 'Orders', new Blob([new Uint8Array(bytes)]))
    const after = await archiveOf(other)
    for (const [name] of tables) expect(after.digests[name]).toBe(before.digests[name])
    await server.stop()
  },
)
