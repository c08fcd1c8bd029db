import { z } from 'zod'
import { callVendor, jsonOf, unexpectedAnswer } from '../vendor-calls'
import { SourceError, type ConnectorContext } from '../contract'
import type { DoorResponse } from '../../outbound/doors'

export const GOOGLE_SHEETS = 'Google Sheets'
/** Google counts reads of our whole project: 300 a minute, of which some are left for who asks twice. */
export const SHEETS_RATE = { calls: 240, perMs: 60_000, of: 'vendor' } as const

/** With the right to chosen files only, a file that is not ours to read is one that is not there. */
const fileGone = (): SourceError =>
  new SourceError('auth', {
    message: 'The spreadsheet was deleted, or we may no longer read it.',
    mend: 'Reconnect and choose it again.',
  })

async function googleJson<T>(
  context: ConnectorContext,
  at: { origin: 'sheets' | 'drive'; path: string; query: URLSearchParams },
  schema: z.ZodType<T>,
): Promise<T> {
  const { accessToken = '' } = context.connection.secrets
  const call = {
    origin: at.origin,
    path: `${at.path}?${at.query.toString()}`,
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
  }
  const read = ({ status }: DoorResponse) => (status === 403 || status === 404 ? fileGone() : undefined)
  const response = await callVendor(context, call, { vendor: GOOGLE_SHEETS, windowMs: SHEETS_RATE.perMs, read })
  const parsed = schema.safeParse(await jsonOf(response, GOOGLE_SHEETS))
  if (!parsed.success) throw unexpectedAnswer(GOOGLE_SHEETS)
  return parsed.data
}

const fileOf = ({ connection }: ConnectorContext): string => encodeURIComponent(connection.settings['file'] ?? '')

const stampSchema = z.object({ name: z.string(), modifiedTime: z.string(), trashed: z.boolean().default(false) })
/** What the spreadsheet is called and when somebody last changed it. */
export async function fileStamp(context: ConnectorContext): Promise<{ name: string; modifiedTime: string }> {
  const query = new URLSearchParams({ fields: 'name,modifiedTime,trashed', supportsAllDrives: 'true' })
  const at = { origin: 'drive' as const, path: `/drive/v3/files/${fileOf(context)}`, query }
  const { name, modifiedTime, trashed } = await googleJson(context, at, stampSchema)
  if (trashed) throw fileGone()
  return { name, modifiedTime }
}

const mergeSchema = z.object({
  startRowIndex: z.number().default(0),
  endRowIndex: z.number(),
  startColumnIndex: z.number().default(0),
  endColumnIndex: z.number(),
})
/** Cells that are shown as one: rows and columns from 0, ends not included. */
export type CellMerge = z.infer<typeof mergeSchema>

const sheetSchema = z.object({
  properties: z.object({
    sheetId: z.number(),
    title: z.string(),
    hidden: z.boolean().default(false),
    sheetType: z.string().default('GRID'),
    gridProperties: z.object({ rowCount: z.number(), columnCount: z.number() }).optional(),
  }),
  merges: z.array(mergeSchema).default([]),
})
export interface SheetInfo {
  id: number
  title: string
  hidden: boolean
  rows: number
  columns: number
  merges: CellMerge[]
}

/** The sheets that are grids of cells, in their order. */
export async function listSheets(context: ConnectorContext): Promise<SheetInfo[]> {
  const fields = 'sheets(properties(sheetId,title,hidden,sheetType,gridProperties(rowCount,columnCount)),merges)'
  const at = {
    origin: 'sheets' as const,
    path: `/v4/spreadsheets/${fileOf(context)}`,
    query: new URLSearchParams({ fields }),
  }
  const { sheets } = await googleJson(context, at, z.object({ sheets: z.array(sheetSchema) }))
  return sheets
    .filter(({ properties }) => properties.sheetType === 'GRID')
    .map(({ properties: { sheetId, title, hidden, gridProperties }, merges }) => ({
      ...{ id: sheetId, title, hidden, merges },
      rows: gridProperties?.rowCount ?? 0,
      columns: gridProperties?.columnCount ?? 0,
    }))
}

export type SheetValue = string | number | boolean
const valuesSchema = z.object({
  valueRanges: z.array(
    z.object({ values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))).default([]) }),
  ),
})

const letterOf = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letterOf(Math.floor(column / 26) - 1) + letterOf(column % 26)
/** Rows of a sheet in the notation of Sheets; `first` from 0, `count` of them. */
export const rangeOf = ({ title, columns }: SheetInfo, first: number, count: number): string =>
  `'${title.replaceAll("'", "''")}'!A${first + 1}:${letterOf(Math.max(0, columns - 1))}${first + count}`

/** Values of rows as they are stored: numbers unformatted, days as serial numbers. Rows end at their last value. */
export async function readRows(context: ConnectorContext, range: string): Promise<SheetValue[][]> {
  const query = new URLSearchParams({
    ranges: range,
    majorDimension: 'ROWS',
    valueRenderOption: 'UNFORMATTED_VALUE',
    dateTimeRenderOption: 'SERIAL_NUMBER',
  })
  const at = { origin: 'sheets' as const, path: `/v4/spreadsheets/${fileOf(context)}/values:batchGet`, query }
  return (await googleJson(context, at, valuesSchema)).valueRanges[0]?.values ?? []
}

const formatSchema = z.object({
  effectiveFormat: z.object({ numberFormat: z.object({ type: z.string() }).optional() }).optional(),
})
const gridSchema = z.object({
  sheets: z.array(
    z.object({
      data: z
        .array(z.object({ rowData: z.array(z.object({ values: z.array(formatSchema).default([]) })).default([]) }))
        .default([]),
    }),
  ),
})
/** What each cell of a range shows its number as: `DATE`, `DATE_TIME`, `TIME` …; null where nothing is set. */
export async function readFormats(context: ConnectorContext, range: string): Promise<(string | null)[][]> {
  const fields = 'sheets.data.rowData.values.effectiveFormat.numberFormat.type'
  const query = new URLSearchParams({ ranges: range, fields })
  const at = { origin: 'sheets' as const, path: `/v4/spreadsheets/${fileOf(context)}`, query }
  const { sheets } = await googleJson(context, at, gridSchema)
  const rows = sheets[0]?.data[0]?.rowData ?? []
  return rows.map(({ values }) => values.map((cell) => cell.effectiveFormat?.numberFormat?.type ?? null))
}
