import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { MAX_WAIT_MS, openingMaxMs, openUpload } from './open'
import { deleteExpiredUploads } from './service'
import { Scope } from '../../scope'
import { depsAt } from '../../../test/worker/deps'
import { databaseDump } from '../../../test/worker/test-database'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { createSource, waitForRun, readTotals, uploadBytes } from '../../../test/worker/loads'
import type { MadeBinaryWorkbook } from '../../../test/worker/binary-workbooks/cells'
import { xlsOf } from '../../../test/worker/binary-workbooks/xls'
import { xlsbOf } from '../../../test/worker/binary-workbooks/xlsb'
import { xlsxOf } from '../../../test/worker/workbooks'
import { bytesOf, zipOf } from '../../../test/worker/zip'
import type { FileInspection, OpenedUpload } from '../../shared/data-sources/files'
import {
  EXTRACTED_FILE_MAX_BYTES,
  FILE_MAX_BYTES,
  SOURCE_MAX_DATASETS,
  UPLOAD_TTL_MS,
  WORKSPACE_STORED_MAX_BYTES,
} from '../../shared/limits'
import type { DataSource } from '../../shared/data-sources/data-sources'

/** A workbook of one sheet. */
const sheetOf = (rows: (string | number)[][]): Promise<Uint8Array> => {
  const cell = (value: string | number): string =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const lines = rows.map((cells, at) => `<row r="${at + 1}">${cells.map(cell).join('')}</row>`)
  return xlsxOf({ sheets: [{ name: 'Sales', rows: lines.join('') }] })
}

const OLD_BOOK: MadeBinaryWorkbook = {
  sheets: [
    {
      name: 'Sales',
      cells: [
        ...[
          { at: [0, 0] as const, text: 'Day' },
          { at: [0, 1] as const, shared: 0 },
        ],
        ...[
          { at: [1, 0] as const, number: 46_000, style: 1 },
          { at: [1, 1] as const, number: 10.25 },
        ],
        ...[
          { at: [2, 0] as const, number: 46_001, style: 1 },
          { at: [2, 1] as const, number: 20.5, rk: true as const },
        ],
      ],
    },
  ],
  strings: ['Sum'],
  formats: ['yyyy-mm-dd'],
}

const ORDERS = '{"id":1,"sum":10.25,"lines":[{"sku":"a"},{"sku":"b"}]}\n{"id":2,"sum":20.5,"lines":[]}\n'
const open = (me: SignedIn, id: string) => me.fetch(`/api/uploads/${id}/open`, { method: 'POST' })
const inspect = async (me: SignedIn, id: string) =>
  (await me.fetch(`/api/uploads/${id}/inspect`, { method: 'POST', json: {} })).json<FileInspection>()

async function opened(me: SignedIn, bytes: Uint8Array | string, name: string): Promise<OpenedUpload & { id: string }> {
  const id = await uploadBytes(me, bytesOf(bytes), name)
  const answer = await open(me, id)
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return { id, ...(await answer.json<OpenedUpload>()) }
}
const refused = async (me: SignedIn, bytes: Uint8Array | string, name: string) => {
  const answer = await open(me, await uploadBytes(me, bytesOf(bytes), name))
  return { status: answer.status, ...(await answer.json<object>()) }
}
const objects = async () => (await env.FILES.list()).objects.map(({ key }) => key).toSorted()
const countUploads = (me: SignedIn) =>
  env.DB.prepare('SELECT count(*) AS n FROM uploads WHERE workspace_id = ?').bind(me.workspaceId).first('n')

describe('opening a file', () => {
  it('takes its tables out as uploads of their own, which load like any text', async () => {
    const me = await signedIn()
    const { kind, tables } = await opened(me, ORDERS, 'orders.ndjson')
    expect(kind).toBe('ndjson')
    expect(tables).toMatchObject([
      { kind: 'ndjson', rowCount: 2, optional: false },
      { kind: 'ndjson', rowCount: 2, optional: false },
    ])
    const found = await Promise.all(tables.map(({ uploadId }) => inspect(me, uploadId)))
    expect(found).toMatchObject([{ kind: 'ndjson', rows: { count: 2, exact: true } }, { rows: { count: 2 } }])
    const input = tables.map(({ uploadId, name }, at) => {
      const { settings, columns } = found[at] ?? { settings: {}, columns: [] }
      return { name, uploadId, settings, columns }
    })
    const answer = await me.fetch('/api/data-sources', { method: 'POST', json: { name: 'Orders', tables: input } })
    expect(answer.status).toBe(201)
    const source = await answer.json<DataSource>()
    for (const { id } of source.lastRuns)
      expect(await waitForRun(me, id)).toMatchObject({ state: 'succeeded', rowsWritten: 2 })
    const sum = source.datasets[0]?.columns.find(({ label }) => label === 'sum')?.key ?? 'c9'
    expect(await readTotals(me, source.datasets[0]?.id ?? '', sum)).toEqual({ rows: 2, sum: 30.75 })
  })

  it('offers each of several tables on a sheet, and loads exactly its cells', async () => {
    const me = await signedIn()
    const orders = [
      ['Order', 'Amount'],
      ['A', 10.25],
      ['B', 20.5],
      ['C', 30],
    ]
    const { tables } = await opened(
      me,
      await sheetOf([...orders, [], ['Rates'], ['Code', 'Rate'], ['SE', 25]]),
      'a.xlsx',
    )
    expect(tables).toMatchObject([
      { name: 'Sales table 1', range: 'A1:B4', rowCount: 4, optional: false },
      { name: 'Rates', range: 'A7:B8', rowCount: 2, optional: false },
      { name: 'Sales', rowCount: 7, optional: true },
    ])
    const [first] = tables
    const id = first?.uploadId ?? ''
    const { settings, columns } = await inspect(me, id)
    const input = { name: 'Orders', tables: [{ name: 'Orders', uploadId: id, settings, columns }] }
    const answer = await me.fetch('/api/data-sources', { method: 'POST', json: input })
    const source = await answer.json<DataSource>()
    expect(await waitForRun(me, source.lastRuns[0]?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 3 })
    expect(await readTotals(me, source.datasets[0]?.id ?? '', 'c1')).toEqual({ rows: 3, sum: 60.75 })
  })

  it('offers each of several tables below each other in a text, and loads exactly its lines', async () => {
    const me = await signedIn()
    const text = 'Order;Amount\nA;10,25\nB;20,50\nC;30,00\n\nRates\nCode;Rate\nSE;25\nNO;24\n'
    const { kind, tables } = await opened(me, new TextEncoder().encode(text), 'month.csv')
    expect(kind).toBe('csv')
    expect(tables).toMatchObject([
      { name: 'month table 1', range: '1:4', rowCount: 3, optional: false },
      { name: 'Rates', range: '7:9', rowCount: 2, optional: false },
      { name: 'month', optional: true },
    ])
    const [first, second] = tables
    const id = first?.uploadId ?? ''
    const { settings, columns } = await inspect(me, id)
    const input = { name: 'Orders', tables: [{ name: 'Orders', uploadId: id, settings, columns }] }
    const answer = await me.fetch('/api/data-sources', { method: 'POST', json: input })
    const source = await answer.json<DataSource>()
    expect(await waitForRun(me, source.lastRuns[0]?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 3 })
    expect(await readTotals(me, source.datasets[0]?.id ?? '', 'c1')).toEqual({ rows: 3, sum: 60.75 })
    expect((await inspect(me, second?.uploadId ?? '')).columns.map(({ label }) => label)).toEqual(['Code', 'Rate'])
  })

  it('divides a text by a delimiter of several signs, and names its lines as they were', async () => {
    const me = await signedIn()
    const text = 'Order||Amount\r\nA||10,25\r\nB||20,50\r\nC||x\r\nD||30,00\r\n'.concat('E||0,00\r\n'.repeat(100))
    const { kind, tables } = await opened(me, new TextEncoder().encode(text), 'month.csv')
    expect([kind, tables]).toMatchObject(['csv', [{ name: 'month', rowCount: 104, columnCount: 2, optional: false }]])
    const id = tables[0]?.uploadId ?? ''
    const { settings, columns, warnings } = await inspect(me, id)
    expect(columns.map(({ label, type }) => [label, type])).toEqual([
      ['Order', 'text'],
      ['Amount', 'number'],
    ])
    expect(warnings).toMatchObject([{ line: 4 }])
    const input = { name: 'Orders', tables: [{ name: 'Orders', uploadId: id, settings, columns }] }
    const answer = await me.fetch('/api/data-sources', { method: 'POST', json: input })
    const source = await answer.json<DataSource>()
    expect(await waitForRun(me, source.lastRuns[0]?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 103 })
    expect(await readTotals(me, source.datasets[0]?.id ?? '', 'c1')).toEqual({ rows: 103, sum: 60.75 })
  })

  it('takes a workbook for one whose parts lie at the top of its package, in any order', async () => {
    const me = await signedIn()
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const root = `<Relationships><Relationship Id="r" Type="${office}/officeDocument" Target="workbook.xml"/></Relationships>`
    const book = await xlsxOf(
      { sheets: [{ name: 'Sales', rows: '<row><c><v>1</v></c></row>' }], parts: { '_rels/.rels': root } },
      (parts) => parts.map((part) => ({ ...part, name: part.name.replace(/^xl\//, '') })).reverse(),
    )
    const opened = await (await open(me, await uploadBytes(me, book, 'b.xlsx'))).json<OpenedUpload>()
    expect(opened).toMatchObject({ kind: 'xlsx', tables: [{ name: 'Sales', rowCount: 1 }] })
  })

  it('is done once: asked again, or twice at once, it answers the same', async () => {
    const me = await signedIn()
    const id = await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson')
    const before = await objects()
    const answers = await Promise.all([open(me, id), open(me, id), open(me, id)])
    const found = await Promise.all(answers.map((answer) => answer.json<OpenedUpload>()))
    const [one] = found
    expect(found).toEqual([one, one, one])
    expect((await objects()).length - before.length).toBe(2)
    expect(await countUploads(me)).toBe(3)
    expect(await (await open(me, id)).json()).toEqual(one)
    const first = one?.tables[0]
    const own = await (await open(me, first?.uploadId ?? '')).json<OpenedUpload>()
    expect(own.tables).toEqual([first])
  })

  it('answers a delimited text as its own table, and keeps nothing more of it', async () => {
    const me = await signedIn()
    const before = await objects()
    const found = await opened(me, 'a;b\n1;2\n3;4\n', 'My file.csv')
    expect(found).toMatchObject({
      kind: 'csv',
      tables: [{ uploadId: found.id, name: 'My file', kind: 'csv', rowCount: 2, columnCount: 2 }],
    })
    expect((await objects()).length).toBe(before.length + 1)
    expect(await inspect(me, found.id)).toMatchObject({ kind: 'csv', settings: { delimiter: ';' } })
    expect((await inspect(me, found.id)).settings.numbered).toBeUndefined()
  })

  it('refuses what holds no table with what it is, and leaves nothing behind', async () => {
    const me = await signedIn()
    const before = await objects()
    const cases: [string | Uint8Array, string, string][] = [
      ['%PDF-1.7\n', 'a.pdf', 'PDF'],
      [new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 'a.csv.gz', 'gzip'],
      [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), 'a.png', 'image'],
      ['{"a": 1} trailing', 'a.json', ''],
      [await zipOf([]), 'a.zip', 'No table'],
    ]
    for (const [bytes, name, words] of cases) {
      const answer = await refused(me, bytes, name)
      expect([name, answer]).toEqual([name, expect.objectContaining({ status: 422, code: 'file_unreadable' })])
      expect(JSON.stringify(answer)).toContain(words)
    }
    expect((await objects()).length).toBe(before.length + cases.length)
    expect(await countUploads(me)).toBe(cases.length)
  })

  it('waits until the upload is complete, and is not for others', async () => {
    const me = await signedIn()
    const announced = await me.fetch('/api/uploads', { method: 'POST', json: { fileName: 'a.csv', size: 3 } })
    const { id } = await announced.json<{ id: string }>()
    expect((await open(me, id)).status).toBe(400)
    const mine = await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson')
    const stranger = await otherWorkspace()
    const before = await databaseDump()
    expect((await open(stranger, mine)).status).toBe(404)
    expect(await databaseDump()).toBe(before)
  })

  it('goes on after one that died, whose objects go with the file', async () => {
    const me = await signedIn()
    const id = await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson')
    const key = await env.DB.prepare('SELECT object_key FROM uploads WHERE id = ?').bind(id).first<string>('object_key')
    await env.FILES.put(`${key}/left-behind`, 'x')
    await env.DB.prepare("UPDATE uploads SET opening = 'dead', opening_until = ? WHERE id = ?")
      .bind(Date.now() + 400, id)
      .run()
    expect((await open(me, id)).status).toBe(200)
    expect((await me.fetch(`/api/uploads/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await countUploads(me)).toBe(0)
    expect((await objects()).filter((known) => known.startsWith(key ?? '-'))).toEqual([])
  })

  it('waits while another file of the workspace is opened anywhere, and for no other workspace', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    const [id, elsewhere, theirs] = [
      await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson'),
      await uploadBytes(me, bytesOf(ORDERS), 'elsewhere.ndjson'),
      await uploadBytes(other, bytesOf(ORDERS), 'theirs.ndjson'),
    ]
    await env.DB.prepare("UPDATE uploads SET opening = 'elsewhere', opening_until = ? WHERE id = ?")
      .bind(Date.now() + 60_000, elsewhere)
      .run()
    let done = false
    const waiting = open(me, id).then((answer) => {
      done = true
      return answer.status
    })
    expect((await open(other, theirs)).status).toBe(200)
    await scheduler.wait(300)
    expect(done).toBe(false)
    await env.DB.prepare('UPDATE uploads SET opening_until = 0 WHERE id = ?').bind(elsewhere).run()
    expect(await waiting).toBe(200)
  })

  it('ends one that takes longer than such a file ever should, and leaves nothing of it', async () => {
    const me = await signedIn()
    const line = (n: number) => `{"id":${n},"text":"${'x'.repeat(80)}"}`
    const id = await uploadBytes(me, bytesOf(Array.from({ length: 8_000 }, (_, n) => line(n)).join('\n')), 'a.ndjson')
    const before = await objects()
    let now = Date.now()
    const deps = { ...depsAt(now), clock: { now: () => (now += 8_000) } }
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '' })
    const slow = openUpload(deps, { scope, id, reply: () => null })
    await expect(slow).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('too long') })
    expect(await objects()).toEqual(before)
    expect((await open(me, id)).status).toBe(200)
  })

  it('tells one that was slow to come back, and not that there is no room, while another that took over is at work', async () => {
    const me = await signedIn()
    const id = await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson')
    const before = await objects()
    const takeOver = () =>
      env.DB.prepare("UPDATE uploads SET opening = 'other', opening_until = ? WHERE id = ?")
        .bind(Date.now() + 60_000, id)
        .run()
    const files = new Proxy(env.FILES, {
      get(on, key) {
        const member: unknown = Reflect.get(on, key)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]): Promise<unknown> => {
          if (key === 'put') await takeOver()
          return Reflect.apply(member, on, args)
        }
      },
    })
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '' })
    const slow = openUpload({ ...depsAt(Date.now()), files }, { scope, id, reply: () => null })
    await expect(slow).rejects.toMatchObject({ code: 'busy' })
    expect(await objects()).toEqual(before)
  })

  it('counts its tables against the bytes of the workspace', async () => {
    const me = await signedIn()
    const id = await uploadBytes(me, bytesOf(ORDERS), 'orders.ndjson')
    const other = await uploadBytes(me, bytesOf('a,b\n1,2\n'), 'big.csv')
    const fill = (size: number) => env.DB.prepare('UPDATE uploads SET size = ? WHERE id = ?').bind(size, other).run()
    await fill(WORKSPACE_STORED_MAX_BYTES - ORDERS.length - 5)
    const before = await objects()
    const answer = await open(me, id)
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large', what: 'workspace' }])
    expect(await objects()).toEqual(before)
    await fill(10)
    expect((await open(me, id)).status).toBe(200)
  })

  it('takes no larger file apart, whatever it is called, and only looks at a text of any size', async () => {
    const me = await signedIn()
    const size = EXTRACTED_FILE_MAX_BYTES + 1
    const sized = async (text: string, name: string): Promise<Response> => {
      const id = await uploadBytes(me, bytesOf(text), name)
      await env.DB.prepare('UPDATE uploads SET size = ? WHERE id = ?').bind(size, id).run()
      return open(me, id)
    }
    const before = await objects()
    const large = await sized(ORDERS, 'orders.csv')
    expect([large.status, await large.json()]).toMatchObject([
      413,
      {
        ...{ code: 'too_large', what: 'file', max: EXTRACTED_FILE_MAX_BYTES, size },
        message: expect.stringMatching(/up to 200 MB\. Save the table as CSV/),
      },
    ])
    expect((await objects()).length).toBe(before.length + 1)
    expect((await sized('a,b\n1,2\n', 'orders.zip')).status).toBe(200)
  })

  it('lets go of tables nobody loaded when the file’s time is over, and keeps those that were', async () => {
    const me = await signedIn()
    const { id, tables } = await opened(me, ORDERS, 'orders.ndjson')
    const [kept] = tables
    const { settings, columns } = await inspect(me, kept?.uploadId ?? '')
    const made = await createSource(me, {
      name: 'Kept',
      tables: [{ name: 'Kept', uploadId: kept?.uploadId ?? '', settings, columns }],
    })
    const source = await made.json<DataSource>()
    await waitForRun(me, source.lastRun?.id ?? '')
    const key = await env.DB.prepare('SELECT object_key FROM uploads WHERE id = ?').bind(id).first<string>('object_key')
    const later = depsAt(Date.now() + UPLOAD_TTL_MS + 1000)
    while ((await deleteExpiredUploads(later)) > 0);
    expect(await countUploads(me)).toBe(0)
    const left = (await objects()).filter((known) => known.startsWith(key ?? '-'))
    expect(left.length).toBe(1)
    const run = await env.DB.prepare('SELECT object_key FROM runs WHERE id = ?')
      .bind(source.lastRun?.id)
      .first('object_key')
    expect(left).toEqual([run])
  })
})

describe('a table out of a file', () => {
  it('is read as it was written, whatever is asked; the file itself is not loaded', async () => {
    const me = await signedIn()
    const { id, tables } = await opened(me, ORDERS, 'orders.ndjson')
    const uploadId = tables[0]?.uploadId ?? ''
    const { settings, columns } = await inspect(me, uploadId)
    const { numbered: _numbered, ...wrong } = { ...settings, delimiter: ';', decimalMark: ',' } as const
    const table = { name: 'Orders', uploadId, settings: wrong, columns }
    const made = await (await createSource(me, { name: 'Orders', tables: [table] })).json<DataSource>()
    expect(await waitForRun(me, made.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 2 })
    const refusal = await createSource(me, { name: 'Whole', tables: [{ ...table, uploadId: id }] })
    expect(await refusal.json()).toMatchObject({
      code: 'invalid_input',
      fields: { 'tables.0.uploadId': expect.any(String) },
    })
  })

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['sales.xls', () => xlsOf(OLD_BOOK), 'xls'],
    ['sales.xlsb', () => xlsbOf(OLD_BOOK), 'xlsx'],
  ])('reads an older workbook like any other: %s', async (name, bytes, wanted) => {
    const me = await signedIn()
    const { kind, tables } = await opened(me, await bytes(), name)
    expect([kind, tables.map((table) => [table.name, table.rowCount])]).toEqual([wanted, [['Sales', 3]]])
    const uploadId = tables[0]?.uploadId ?? ''
    const { settings, columns } = await inspect(me, uploadId)
    expect(columns.map(({ label, type }) => [label, type])).toEqual([
      ['Day', 'date'],
      ['Sum', 'number'],
    ])
    const made = await (
      await createSource(me, { name, tables: [{ name, uploadId, settings, columns }] })
    ).json<DataSource>()
    expect(await waitForRun(me, made.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 2 })
    expect(await readTotals(me, made.datasets[0]?.id ?? '', 'c1')).toEqual({ rows: 2, sum: 30.75 })
  })

  it('is loaded without its total rows when they are left out, and with titles passed over', async () => {
    const me = await signedIn()
    const sheet = [['Sales of the year'], ['Shop', 'Sum'], ['Lund', 10], ['Ystad', 20], ['Total', 30]]
    const { tables } = await opened(me, await sheetOf(sheet), 'sales.xlsx')
    const uploadId = tables[0]?.uploadId ?? ''
    const ask = { method: 'POST', json: { settings: { leaveOutTotals: true } } }
    const { settings, columns, rows } = await (
      await me.fetch(`/api/uploads/${uploadId}/inspect`, ask)
    ).json<FileInspection>()
    expect([rows.count, columns.map(({ label }) => label)]).toEqual([2, ['Shop', 'Sum']])
    const made = await (
      await createSource(me, { name: 'S', tables: [{ name: 'S', uploadId, settings, columns }] })
    ).json<DataSource>()
    expect(await waitForRun(me, made.lastRun?.id ?? '')).toMatchObject({ state: 'succeeded', rowsWritten: 2 })
    expect(await readTotals(me, made.datasets[0]?.id ?? '', 'c1')).toEqual({ rows: 2, sum: 30 })
  })

  it('names a row that cannot be loaded by its line in the original', async () => {
    const me = await signedIn()
    const lines = Array.from({ length: 20 }, (_, n) => `{"n":${n === 12 ? '"twelve"' : n}}`)
    const { tables } = await opened(me, lines.join('\n'), 'n.ndjson')
    const uploadId = tables[0]?.uploadId ?? ''
    const { settings, columns } = await inspect(me, uploadId)
    const whole = columns.map((column) => ({ ...column, type: 'integer' as const }))
    const made = await (
      await createSource(me, { name: 'N', tables: [{ name: 'N', uploadId, settings, columns: whole }] })
    ).json<DataSource>()
    const run = await waitForRun(me, made.lastRun?.id ?? '')
    expect(run).toMatchObject({ state: 'succeeded', rowsWritten: 19, rowsRejected: 1 })
    const rejects = await (await me.fetch(`/files/runs/${run.id}/rejects?w=${me.workspaceId}`)).text()
    expect(rejects).toMatch(/\r\n13,.*twelve/)
  })
})

describe('opening a zip of files', () => {
  it('opens each as its own kind, leaves out what is none, and says so', async () => {
    const me = await signedIn()
    const inner = await zipOf([{ name: 'x.csv', bytes: 'a,b\n1,2\n' }])
    const found = await opened(
      me,
      await zipOf([
        { name: 'data/sales.csv', bytes: 'day;sum\n2026-01-01;1,5\n2026-01-02;2,5\n' },
        { name: 'data/orders.ndjson', bytes: ORDERS },
        { name: 'readme.pdf', bytes: '%PDF-1.4 ...' },
        { name: 'inner.zip', bytes: inner },
        { name: '__MACOSX/._sales.csv', bytes: 'x' },
        { name: '.hidden', bytes: 'x,y\n1,2\n' },
        { name: 'data/', bytes: '' },
      ]),
      'all.zip',
    )
    expect(found.kind).toBe('zip')
    expect(found.tables.map(({ kind, entry, rowCount }) => [kind, entry, rowCount])).toEqual([
      ['csv', 'data/sales.csv', 2],
      ['ndjson', 'data/orders.ndjson', 2],
      ['ndjson', 'data/orders.ndjson', 2],
    ])
    expect(found.tables[0]?.name).toBe('sales')
    expect(found.warnings.map(({ code }) => code)).toEqual(['skipped_entry', 'skipped_entry'])
    expect(found.warnings.map(({ message }) => message).join()).toMatch(/readme\.pdf.*PDF.*inner\.zip.*nested archives/)
    expect(await inspect(me, found.tables[0]?.uploadId ?? '')).toMatchObject({
      kind: 'csv',
      settings: { delimiter: ';', decimalMark: ',' },
      columns: [{ type: 'date' }, { type: 'number', scale: 1 }],
    })
    expect((await inspect(me, found.tables[1]?.uploadId ?? '')).kind).toBe('ndjson')
  })

  it('offers at most as many tables as a source holds, and names the rest', async () => {
    const me = await signedIn()
    const many = Array.from({ length: SOURCE_MAX_DATASETS + 2 }, (_, n) => ({
      name: `t${n}.csv`,
      bytes: `a,b\n${n},1\n`,
    }))
    const found = await opened(me, await zipOf(many), 'many.zip')
    expect(found.tables.length).toBe(SOURCE_MAX_DATASETS)
    expect(found.warnings).toMatchObject([{ code: 'skipped_entry', message: expect.stringMatching(/^2 more files/) }])
  })

  it('refuses hostile ones whole, and leaves nothing behind (UPL-1)', async () => {
    const me = await signedIn()
    const csv = { name: 'a.csv', bytes: 'a,b\n1,2\n' }
    const before = await objects()
    const cases: [Uint8Array, string][] = [
      [await zipOf([csv, { name: '../b.csv', bytes: 'a,b\n' }]), 'unsafe'],
      [await zipOf([csv, { name: 'b.csv', bytes: 'a,b\n1,2\n', start: 0 }]), 'unsafe'],
      [await zipOf([csv, { name: 'bomb.csv', bytes: new Uint8Array(20_000_000).fill(49) }]), 'unsafe'],
      [await zipOf([{ ...csv, flags: 1 }]), 'encrypted'],
      [await zipOf([csv], { count: 100_000, zip64: true }), 'unsafe'],
      [(await zipOf([csv])).slice(0, 60), 'broken'],
    ]
    for (const [bytes, reason] of cases)
      expect(await refused(me, bytes, 'a.zip')).toMatchObject({ status: 422, code: 'file_unreadable', reason })
    expect((await objects()).length).toBe(before.length + cases.length)
  })
})

it('may take longer for a larger file, never as long as those behind it wait', () => {
  expect(openingMaxMs(10 * 1024 * 1024)).toBe(50_000)
  for (const size of [EXTRACTED_FILE_MAX_BYTES, FILE_MAX_BYTES]) expect(openingMaxMs(size)).toBeLessThan(MAX_WAIT_MS)
})
