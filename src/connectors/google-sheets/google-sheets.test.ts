import { describe, expect, it } from 'vitest'
import { sheetsConnector } from './sheets-connector'
import { layoutOf, serialKinds, csvLine } from './sheet-table'
import type { ConnectorContext, Cursor } from '../contract'
import { contextOf, FIXTURE_NOW } from '../../../test/worker/connectors/fixture'
import { sheetsFixture, sheetsWithAccess } from '../../../test/worker/connectors/sheets-fixture'
import type { SourceStream } from '../../shared/data-sources/connectors'

const HOUR_MS = 3_600_000

async function opened(options: Parameters<typeof sheetsWithAccess>[0] = {}) {
  const { emulator, secrets, doors } = await sheetsWithAccess(options)
  const fixture = sheetsFixture()
  const context = contextOf({ ...fixture, connection: { ...fixture.connection, secrets } }, doors)
  return { emulator, context }
}
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const budget = { maxRows: 1000, maxBytes: 10_000_000, deadlineAt: FIXTURE_NOW + 60_000 }
const read = (context: ConnectorContext, stream: SourceStream, cursor: Cursor | null = null) =>
  sheetsConnector.read(context, { stream, mode: 'replace', cursor, budget })

async function textOf(context: ConnectorContext, label: string): Promise<string> {
  const stream = (await sheetsConnector.discover(context)).find((each) => each.label === label)
  if (!stream) throw new Error(`no sheet ${label}`)
  const page = await read(context, stream)
  return page.kind === 'file' ? new Response(page.file.body).text() : ''
}

describe('a sheet', () => {
  it('is a table below its title, whose headings of two rows are one, and whose days are days', async () => {
    const { context } = await opened()
    const lines = (await textOf(context, 'Sales by month')).trimEnd().split('\n')
    expect(lines[0]).toBe('Month,Sweden Orders,Sweden Amount,Other countries Orders,Other countries Amount')
    expect(lines.slice(1).every((line) => /^\d{4}-\d{2}-01,\d+,[\d.]+,\d+,[\d.]+$/.test(line))).toBe(true)
  })

  it('keeps numbers, letters and yes or no as they are', async () => {
    const { context } = await opened()
    const lines = (await textOf(context, "Kunder '26")).trimEnd().split('\n')
    expect(lines[0]).toBe('Customer no,Name,City,Country,Since,Key account')
    expect(lines[1]).toMatch(/^1001,Bygghörnan Mälardalen AB,Västerås,Sweden,\d{4}-\d{2}-\d{2},true$/)
  })

  it('of many rows is read in several calls, to its last row', async () => {
    const { context, emulator } = await opened()
    const [sheet] = emulator.file.sheets
    if (!sheet) throw new Error('no sheet')
    for (let row = 0; row < 9_000; row += 1) sheet.rows.push([45_000 + row, row, row / 4, 0, 0])
    sheet.size.rows = 9_100
    const before = emulator.world.calls.length
    const lines = (await textOf(context, 'Sales by month')).trimEnd().split('\n')
    expect(lines.at(-1)).toBe('2047-11-03,8999,2249.75,0,0')
    expect(emulator.world.calls.slice(before).filter((call) => call.includes('batchGet')).length).toBe(4)
  })

  it.each([
    [
      'one heading row',
      [
        ['A', 'B'],
        [1, 2],
      ],
      [],
      { firstRow: 1, header: ['A', 'B'] },
    ],
    ['a title above', [['Report'], [], ['A', 'B'], [1, 2]], [], { firstRow: 3, header: ['A', 'B'] }],
    ['one column', [['Name'], ['x']], [], { firstRow: 1, header: ['Name'] }],
    [
      'a column without a name',
      [
        ['A', '', 'C'],
        [1, 2, 3],
      ],
      [],
      { firstRow: 1, header: ['A', 'Column 2', 'C'] },
    ],
  ])('has its table found: %s', (_name, rows, merges, layout) => {
    expect(layoutOf(rows, merges)).toEqual(layout)
  })

  it('without any value has no table', () => {
    expect(layoutOf([[], ['']], [])).toBeNull()
  })

  it('tells days, moments and times by what their cells are shown as', () => {
    const kinds = serialKinds(
      [
        [null, null, null, null],
        ['DATE', 'DATE_TIME', 'TIME', 'NUMBER'],
      ],
      4,
    )
    expect(csvLine([45_000, 45_000.75, 0.5, 45_000], kinds)).toBe('2023-03-15,2023-03-15T18:00:00,12:00:00,45000\n')
    expect(csvLine(['n/a', '#N/A', '', 'x,"y"'], kinds)).toBe('n/a,,,"x,""y"""\n')
  })
})

describe('a spreadsheet', () => {
  it('that nobody changed is not read again, until a day has passed', async () => {
    const { context, emulator } = await opened()
    const [stream] = await sheetsConnector.discover(context)
    if (!stream) throw new Error('no sheet')
    const { cursor } = await read(context, stream)
    const calls = emulator.world.calls.length
    expect(await read(context, stream, cursor)).toMatchObject({ kind: 'unchanged', done: true, cursor })
    expect(emulator.world.calls.length).toBe(calls + 1)
    const later = { ...context, clock: { now: () => FIXTURE_NOW + 24 * HOUR_MS } }
    expect(await read(later, stream, cursor)).toMatchObject({ kind: 'file' })
    await emulator.fetch(new Request('https://google.example/_sim/change/add-row', { method: 'POST' }))
    expect(await read(context, stream, cursor)).toMatchObject({ kind: 'file' })
  })

  it('keeps a sheet under its number when it is renamed, and says when one is gone', async () => {
    const { context, emulator } = await opened()
    const [stream] = await sheetsConnector.discover(context)
    const [sheet] = emulator.file.sheets
    if (!stream || !sheet) throw new Error('no sheet')
    sheet.title = 'Renamed'
    expect(await read(context, stream)).toMatchObject({ kind: 'file', file: { name: 'Renamed.csv' } })
    emulator.file.sheets.shift()
    expect(await refusalOf(read(context, stream))).toMatchObject({ reason: 'drift' })
  })

  it('that was deleted, or is no longer ours to read, asks for a new choice', async () => {
    const { context, emulator } = await opened()
    await emulator.fetch(new Request('https://google.example/_sim/change/delete', { method: 'POST' }))
    expect(await refusalOf(sheetsConnector.test(context))).toMatchObject({
      reason: 'auth',
      mend: expect.stringMatching(/choose it again/),
    })
  })
})

describe('consent at Google', () => {
  const exchange = (context: ConnectorContext, query: Record<string, string>, code: string) =>
    sheetsConnector.authorise?.exchange(context, { code, redirectUri: 'http://localhost/cb', codeVerifier: 'v', query })

  it('comes with the spreadsheet that was chosen, and is renewed with a token that stays', async () => {
    const { context, emulator } = await opened()
    const at = { state: 's', redirectUri: 'http://localhost/cb', codeChallenge: '' }
    const url = new URL(sheetsConnector.authorise?.url(context, at) ?? '')
    url.searchParams.delete('code_challenge')
    url.searchParams.set('decision', 'allow')
    const answer = await emulator.fetch(new Request(url))
    const query = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)
    const issued = await exchange(context, query, query['code'] ?? '')
    expect(issued?.settings).toEqual({ file: 'stand-in-spreadsheet-1' })
    emulator.world.advance(2 * HOUR_MS)
    const connected = { ...context, connection: { settings: issued?.settings ?? {}, secrets: issued?.secrets ?? {} } }
    expect(await refusalOf(sheetsConnector.test(connected))).toMatchObject({ reason: 'auth' })
    for (let time = 0; time < 2; time += 1) {
      const renewed = await sheetsConnector.authorise?.renew(connected)
      expect(Object.keys(renewed?.secrets ?? {})).toEqual(['accessToken', 'expiresAt'])
      const secrets = { ...connected.connection.secrets, ...renewed?.secrets }
      const again = { ...connected, connection: { ...connected.connection, secrets } }
      expect((await sheetsConnector.test(again)).account).toBe('Nordviks 2026')
    }
  })

  it('without a spreadsheet is none', async () => {
    const { context } = await opened()
    expect(await refusalOf(exchange(context, {}, 'code') ?? Promise.resolve())).toMatchObject({ reason: 'auth' })
  })

  it('that was taken back cannot be renewed', async () => {
    const { context, emulator } = await opened()
    emulator.desk.revoke('karin@example.com')
    const refusal = await refusalOf(sheetsConnector.authorise?.renew(context) ?? Promise.resolve())
    expect(refusal).toMatchObject({ reason: 'auth', message: 'Google Sheets no longer accepts our access.' })
  })

  it('keeps to Google’s limits, and waits where they were passed', async () => {
    const { context, emulator } = await opened({ callMs: 1 })
    for (let call = 0; call < 60; call += 1) await sheetsConnector.test(context)
    expect(await refusalOf(sheetsConnector.test(context))).toMatchObject({ reason: 'down', retryAfterMs: 60_000 })
    emulator.world.advance(60_000)
    emulator.world.order('error')
    expect(await refusalOf(sheetsConnector.test(context))).toMatchObject({ reason: 'down' })
  })
})
