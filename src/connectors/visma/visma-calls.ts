import { z } from 'zod'
import { callVendor, jsonOf, unexpectedAnswer } from '../vendor-calls'
import { SourceError, type ConnectorContext } from '../contract'
import type { DoorResponse } from '../../outbound/doors'

export const VISMA = 'Visma eAccounting'
/** Visma counts calls of an app and endpoint: this leaves room for the endpoint that is asked most. */
export const VISMA_RATE = { calls: 500, perMs: 60_000, of: 'vendor' } as const
export const VISMA_PAGE = 500

async function vismaJson(
  context: ConnectorContext,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const search = new URLSearchParams(query).toString()
  const call = {
    origin: 'api',
    path: `/v2/${path}${search === '' ? '' : `?${search}`}`,
    headers: { authorization: `Bearer ${context.connection.secrets['accessToken'] ?? ''}`, accept: 'application/json' },
  }
  const read = ({ status }: DoorResponse) =>
    status === 403
      ? new SourceError('auth', {
          message: 'Visma doesn’t let us read this: a right or the API module is missing.',
          mend: 'Activate the API in Visma, then reconnect.',
        })
      : undefined
  return jsonOf(await callVendor(context, call, { vendor: VISMA, windowMs: VISMA_RATE.perMs, read }), VISMA)
}

function parsedAs<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw unexpectedAnswer(VISMA)
  return parsed.data
}

const pageSchema = z.object({
  Meta: z.object({ CurrentPage: z.number(), TotalNumberOfPages: z.number(), TotalNumberOfResults: z.number() }),
  Data: z.array(z.record(z.string(), z.unknown())),
})
export interface VismaPage {
  records: Record<string, unknown>[]
  pages: number
  total: number
}

/** One page of a list, from 1. @throws SourceError where Visma answers another page than it was asked for */
export async function vismaPage(
  context: ConnectorContext,
  path: string,
  { page, size = VISMA_PAGE, filter }: { page: number; size?: number; filter?: string },
): Promise<VismaPage> {
  const query = { $page: String(page), $pagesize: String(size), ...(filter === undefined ? {} : { $filter: filter }) }
  const { Meta, Data } = parsedAs(pageSchema, await vismaJson(context, path, query))
  if (Meta.CurrentPage !== page && Data.length > 0) throw unexpectedAnswer(VISMA)
  return { records: Data, pages: Meta.TotalNumberOfPages, total: Meta.TotalNumberOfResults }
}

/** All pages of a list that is short. */
async function vismaAll<T>(context: ConnectorContext, path: string, schema: z.ZodType<T>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const found = await vismaPage(context, path, { page })
    all.push(...parsedAs(z.array(schema), found.records))
    if (page >= found.pages) return all
  }
}

const companySchema = z.object({
  Name: z.string(),
  CorporateIdentityNumber: z.string().nullish(),
  CurrencyCode: z.string().default('SEK'),
})
export interface VismaCompany {
  name: string
  orgNumber: string
  currency: string
}
export async function vismaCompany(context: ConnectorContext): Promise<VismaCompany> {
  const found = parsedAs(companySchema, await vismaJson(context, 'companysettings'))
  return { name: found.Name, orgNumber: found.CorporateIdentityNumber ?? '', currency: found.CurrencyCode }
}

const DAY_CHARS = 10
const yearSchema = z.object({ Id: z.string(), StartDate: z.string(), EndDate: z.string() })
export interface VismaYear {
  id: string
  from: string
  to: string
}
/** Fiscal years, the oldest first. */
export async function vismaYears(context: ConnectorContext): Promise<VismaYear[]> {
  const years = await vismaAll(context, 'fiscalyears', yearSchema)
  return years
    .map(({ Id, StartDate, EndDate }) => ({
      ...{ id: Id, from: StartDate.slice(0, DAY_CHARS), to: EndDate.slice(0, DAY_CHARS) },
    }))
    .toSorted((a, b) => a.from.localeCompare(b.from))
}

const accountSchema = z.object({ Number: z.coerce.string(), Name: z.string().nullish() })
export const vismaAccounts = (context: ConnectorContext, year: VismaYear) =>
  vismaAll(context, `accounts/${encodeURIComponent(year.id)}`, accountSchema)

const balanceSchema = z.object({ AccountNumber: z.coerce.string(), Balance: z.number() })
/** Balances at the end of a day (ISO); debit is positive. */
export const vismaBalances = (context: ConnectorContext, day: string) =>
  vismaAll(context, `accountbalances/${day}`, balanceSchema)

const openingSchema = z.array(z.object({ Number: z.coerce.string(), Balance: z.number() }))
/** What stood in the books before the first fiscal year. */
export async function vismaOpening(context: ConnectorContext): Promise<z.infer<typeof balanceSchema>[]> {
  const found = parsedAs(openingSchema, await vismaJson(context, 'fiscalyears/openingbalances'))
  return found.map(({ Number: account, Balance }) => ({ AccountNumber: account, Balance }))
}

const costCentreSchema = z.object({
  Number: z.number(),
  Items: z.array(z.object({ Id: z.string(), ShortName: z.string(), Name: z.string() })).default([]),
})
const projectSchema = z.object({ Id: z.string(), Number: z.string().nullish(), Name: z.string().nullish() })
/** Cost centres and projects by their ids: what they are called. */
export interface VismaObjects {
  costCentres: Map<string, { code: string; name: string }>
  projects: Map<string, { code: string; name: string }>
}
export async function vismaObjects(context: ConnectorContext): Promise<VismaObjects> {
  const [centres, projects] = await Promise.all([
    vismaAll(context, 'costcenters', costCentreSchema),
    vismaAll(context, 'projects', projectSchema),
  ])
  const items = centres.flatMap(({ Items }) => Items)
  return {
    costCentres: new Map(items.map(({ Id, ShortName, Name }) => [Id, { code: ShortName, name: Name }])),
    projects: new Map(projects.map(({ Id, Number, Name }) => [Id, { code: Number ?? '', name: Name ?? '' }])),
  }
}

const rowSchema = z.object({
  AccountNumber: z.coerce.string(),
  DebitAmount: z.number().nullish(),
  CreditAmount: z.number().nullish(),
  TransactionText: z.string().nullish(),
  CostCenterItemId1: z.string().nullish(),
  ProjectId: z.string().nullish(),
})
const voucherSchema = z.object({
  NumberSeries: z.string().nullish(),
  NumberAndNumberSeries: z.string().nullish(),
  VoucherDate: z.string(),
  VoucherText: z.string().nullish(),
  CreatedUtc: z.string().nullish(),
  Rows: z.array(rowSchema),
})
export type VismaVoucher = z.infer<typeof voucherSchema>
/** One page of a year's vouchers, with their rows. */
export async function vismaVouchers(
  context: ConnectorContext,
  year: VismaYear,
  page: number,
): Promise<{ vouchers: VismaVoucher[]; pages: number }> {
  const found = await vismaPage(context, `vouchers/${encodeURIComponent(year.id)}`, { page })
  return { vouchers: parsedAs(z.array(voucherSchema), found.records), pages: found.pages }
}
