import { z } from 'zod'
import { SourceError, type ConnectorContext } from '../contract'
import { callVendor, jsonOf, unexpectedAnswer } from '../vendor-calls'
import type { DoorResponse } from '../../outbound/doors'

export const FORTNOX = 'Fortnox'
/** Fortnox counts calls of an app and a company in a window of five seconds. */
export const FORTNOX_RATE = { calls: 25, perMs: 5_000, of: 'connection' } as const

/** Rights that are asked for. Each is a scope of Fortnox. */
export const FORTNOX_SCOPES = ['companyinformation', 'bookkeeping', 'invoice', 'customer', 'article'] as const

/** The company, or its plan, does not have what is asked for. */
export class MissingRightError extends SourceError {}
const missingRight = (): MissingRightError =>
  new MissingRightError('auth', {
    message: 'Fortnox doesn’t let us read this: a right or a licence is missing.',
    mend: 'Reconnect as an administrator, or remove the stream.',
  })

/** A call with the connection's access token. Path without `/3/`. */
export function fortnoxGet(
  context: ConnectorContext,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<DoorResponse> {
  const search = new URLSearchParams(query).toString()
  const call = {
    origin: 'api',
    path: `/3/${path}${search === '' ? '' : `?${search}`}`,
    headers: { authorization: `Bearer ${context.connection.secrets['accessToken'] ?? ''}`, accept: 'application/json' },
  }
  const read = ({ status }: DoorResponse) => (status === 403 ? missingRight() : undefined)
  return callVendor(context, call, { vendor: FORTNOX, windowMs: FORTNOX_RATE.perMs, read })
}

async function fortnoxJson<T>(
  context: ConnectorContext,
  at: { path: string; query?: Readonly<Record<string, string>> },
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = schema.safeParse(await jsonOf(await fortnoxGet(context, at.path, at.query), FORTNOX))
  if (!parsed.success) throw unexpectedAnswer(FORTNOX)
  return parsed.data
}

const metaSchema = z.object({
  '@TotalResources': z.coerce.number(),
  '@TotalPages': z.coerce.number(),
  '@CurrentPage': z.coerce.number(),
})

const listSchema = z.looseObject({ MetaInformation: metaSchema })
const recordsSchema = z.array(z.record(z.string(), z.unknown()))

export interface FortnoxPage {
  records: Record<string, unknown>[]
  total: number
  pages: number
  page: number
}

/** One page of a list. `name` is what the list is called in the answer. */
export async function fortnoxList(
  context: ConnectorContext,
  { path, name, query }: { path: string; name: string; query: Readonly<Record<string, string>> },
): Promise<FortnoxPage> {
  const answer = await fortnoxJson(context, { path, query }, listSchema)
  const records = recordsSchema.safeParse(answer[name])
  if (!records.success) throw unexpectedAnswer(FORTNOX)
  const { '@TotalResources': total, '@TotalPages': pages, '@CurrentPage': page } = answer.MetaInformation
  return { records: records.data, total, pages, page }
}

const companySchema = z.object({
  CompanyInformation: z.object({
    CompanyName: z.string(),
    OrganizationNumber: z.string().default(''),
    DatabaseNumber: z.coerce.string(),
  }),
})
/** Whose books these are. `tenant` is what Fortnox calls the company's database. */
export async function fortnoxCompany(context: ConnectorContext): Promise<{ name: string; tenant: string }> {
  const { CompanyInformation: company } = await fortnoxJson(context, { path: 'companyinformation' }, companySchema)
  return { name: company.CompanyName, tenant: company.DatabaseNumber }
}

const yearSchema = z.object({ Id: z.coerce.string(), FromDate: z.string(), ToDate: z.string() })
const YEARS_MAX = 100
/** Fiscal years, the oldest first. */
export async function fortnoxYears(context: ConnectorContext): Promise<{ id: string; from: string; to: string }[]> {
  const { records } = await fortnoxList(context, {
    ...{ path: 'financialyears', name: 'FinancialYears', query: { limit: String(YEARS_MAX) } },
  })
  const years = z.array(yearSchema).safeParse(records)
  if (!years.success) throw unexpectedAnswer(FORTNOX)
  return years.data
    .map(({ Id, FromDate, ToDate }) => ({ id: Id, from: FromDate, to: ToDate }))
    .toSorted((a, b) => a.from.localeCompare(b.from))
}
