import { Hono, type Context } from 'hono'
import { consentRoutes } from '../vendors/consent-routes.ts'
import type { VendorCompany } from '../vendors/company.ts'
import { simRoutes } from '../vendors/sim-routes.ts'
import { CallWindow, VendorSimulation, type SimulationOptions } from '../vendors/simulation.ts'
import { SHEETS_TEST_KEYS } from '../vendors/test-keys.ts'
import { TokenDesk } from '../vendors/token-desk.ts'
import { makeSheets, type GridValue, type StoredSheet } from './spreadsheet.ts'

export const SHEETS_FILE = 'stand-in-spreadsheet-1'
const ACCOUNT = 'karin@example.com'
/** Reads of one person a minute. */
const WINDOW = { calls: 60, ms: 60_000 }
const HOUR_MS = 3_600_000
const FILES_SCOPE = 'https://www.googleapis.com/auth/drive.file'

export interface SheetsOptions extends SimulationOptions {
  company: VendorCompany
}

export interface SheetsEmulator {
  fetch: (request: Request) => Promise<Response>
  world: VendorSimulation
  desk: TokenDesk
  file: { name: string; sheets: StoredSheet[]; modified: number; gone: boolean }
}

const refusal = (c: Context, code: 400 | 401 | 403 | 404 | 429 | 500, status: string, message: string): Response =>
  c.json({ error: { code, message, status } }, code)

/** A stand-in for Google as far as one spreadsheet goes: consent with a picker, Sheets' reads, Drive's stamp of a file. */
export function createSheets(options: SheetsOptions): SheetsEmulator {
  const world = new VendorSimulation(options)
  const file = { name: 'Nordviks 2026', sheets: makeSheets(options.company), modified: world.now(), gone: false }
  const rules = { ...SHEETS_TEST_KEYS, codeMs: 10 * 60_000, accessMs: HOUR_MS, refreshMs: null, rotates: false }
  const desk = new TokenDesk(world, rules)
  const change = (name: string): object | null => {
    if (name === 'add-row') {
      const [sheet] = file.sheets
      const last = sheet?.rows.at(-1)
      if (sheet && last) sheet.rows.push([Number(last[0]) + 31, ...last.slice(1)])
    } else if (name === 'delete') file.gone = true
    else return null
    file.modified = world.now()
    return { modifiedTime: new Date(file.modified).toISOString() }
  }
  const app = new Hono()
    .route(
      '/',
      consentRoutes({
        ...{ vendor: 'Google Sheets', path: '/o/oauth2/v2/auth', desk, account: ACCOUNT, accountName: file.name },
        problem: (query) => (query.get('scope') === FILES_SCOPE ? null : 'unknown scope'),
        returned: (query) => (query.get('trigger_onepick') === 'true' ? { picked_file_ids: SHEETS_FILE } : {}),
      }),
    )
    .post('/token', async (c) => tokenAnswer(c, desk))
    .route('/', reads(world, desk, file))
    .route('/_sim', simRoutes(world, { revoke: () => desk.revoke(ACCOUNT), change }))
  return { fetch: async (request) => app.fetch(request), world, desk, file }
}

async function tokenAnswer(c: Context, desk: TokenDesk): Promise<Response> {
  const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
  if (form.get('client_id') !== desk.rules.clientId || form.get('client_secret') !== desk.rules.clientSecret)
    return c.json({ error: 'invalid_client', error_description: 'The OAuth client was not found.' }, 401)
  const isRefresh = form.get('grant_type') === 'refresh_token'
  const issued = isRefresh
    ? desk.refresh(form.get('refresh_token') ?? '')
    : await desk.exchange({
        code: form.get('code') ?? '',
        redirectUri: form.get('redirect_uri') ?? '',
        verifier: form.get('code_verifier'),
      })
  if (!issued) return c.json({ error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 400)
  return c.json({
    access_token: issued.access,
    expires_in: issued.expiresInSeconds - 1,
    // A refresh gives no refresh token: the one that it used stays good.
    ...(isRefresh ? {} : { refresh_token: issued.refresh }),
    scope: issued.scope,
    token_type: 'Bearer',
  })
}

function reads(world: VendorSimulation, desk: TokenDesk, file: SheetsEmulator['file']): Hono {
  const window = new CallWindow(WINDOW.calls, WINDOW.ms)
  const admit = async (c: Context, next: () => Promise<void>): Promise<Response | void> => {
    world.calls.push(`${c.req.method} ${new URL(c.req.url).pathname}${new URL(c.req.url).search}`)
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    const grant = desk.grantOf(token)
    const fault = world.takeFault()
    if (!grant || fault === 'unauthorized')
      return refusal(c, 401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    if (window.take(grant.account, world.now()) > 0 || fault === 'rate-limit')
      return refusal(c, 429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric Read requests.')
    if (fault === 'error') return refusal(c, 500, 'INTERNAL', 'Internal error encountered.')
    if (file.gone || c.req.param('id') !== SHEETS_FILE)
      return refusal(c, 404, 'NOT_FOUND', 'Requested entity was not found.')
    await next()
    if (fault === 'cut-off') c.res = new Response((await c.res.text()).slice(0, 30), c.res)
  }
  return new Hono()
    .get('/drive/v3/files/:id', admit, (c) =>
      c.json({ name: file.name, modifiedTime: new Date(file.modified).toISOString(), trashed: false }),
    )
    .get('/v4/spreadsheets/:id', admit, (c) => {
      const range = c.req.query('ranges')
      return range === undefined ? c.json({ sheets: file.sheets.map(described) }) : formatsOf(c, file.sheets, range)
    })
    .get('/v4/spreadsheets/:id/:call', admit, (c) =>
      c.req.param('call') === 'values:batchGet'
        ? valuesOf(c, file.sheets, c.req.query('ranges') ?? '')
        : refusal(c, 404, 'NOT_FOUND', 'Requested entity was not found.'),
    )
}

const described = ({ id, title, hidden, merges, size }: StoredSheet): object => ({
  properties: {
    ...{ sheetId: id, title, sheetType: 'GRID', ...(hidden ? { hidden } : {}) },
    gridProperties: { rowCount: size.rows, columnCount: size.columns },
  },
  ...(merges.length > 0 ? { merges } : {}),
})

/** Sheet and rows (from 0, the end not included) of a range; null where there is no such sheet, or it is outside. */
function rangeIn(
  sheets: readonly StoredSheet[],
  range: string,
): { sheet: StoredSheet; from: number; to: number } | null {
  const [, quotedTitle = '', first, last] = /^'(.*)'!A(\d+):[A-Z]+(\d+)$/.exec(range) ?? []
  const sheet = sheets.find(({ title }) => title === quotedTitle.replaceAll("''", "'"))
  if (!sheet || Number(first) > sheet.size.rows) return null
  return { sheet, from: Number(first) - 1, to: Number(last) }
}
const unparsable = (c: Context, range: string): Response =>
  refusal(c, 400, 'INVALID_ARGUMENT', `Unable to parse range: ${range}`)

/** Empty cells at the end of a row, and empty rows at the end, are left out. */
function trimmed(rows: readonly GridValue[][]): GridValue[][] {
  const cut = rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1))
  return cut.slice(0, cut.findLastIndex((row) => row.length > 0) + 1)
}

function valuesOf(c: Context, sheets: readonly StoredSheet[], range: string): Response {
  const found = rangeIn(sheets, range)
  if (!found) return unparsable(c, range)
  const values = trimmed(found.sheet.rows.slice(found.from, found.to))
  const isPlain = c.req.query('valueRenderOption') === 'UNFORMATTED_VALUE'
  const shown = isPlain ? values : values.map((row) => row.map(String))
  return c.json({
    spreadsheetId: SHEETS_FILE,
    valueRanges: [{ range, majorDimension: 'ROWS', ...(shown.length > 0 ? { values: shown } : {}) }],
  })
}

function formatsOf(c: Context, sheets: readonly StoredSheet[], range: string): Response {
  const found = rangeIn(sheets, range)
  if (!found) return unparsable(c, range)
  const { sheet, from, to } = found
  const rowData = sheet.rows.slice(from, to).map((row) => ({
    values: row.map((_value, at) => {
      const type = sheet.formats[at]
      return type === undefined ? {} : { effectiveFormat: { numberFormat: { type } } }
    }),
  }))
  return c.json({ sheets: [{ data: [{ rowData }] }] })
}
