import { fortnoxAccess } from './fortnox-access'
import { FORTNOX, FORTNOX_RATE, fortnoxCompany, fortnoxGet, fortnoxYears, MissingRightError } from './fortnox-calls'
import { fortnoxRegisterStreams, readFortnoxRegister, registerOf } from './fortnox-registers'
import { LEDGER_ORDER, ledgerStream, ledgerTableOf } from '../ledger/ledger-columns'
import { readSiePage, type VendorFiscalYear } from '../ledger/sie-pages'
import { isWholeSie, sieTables } from '../ledger/sie-rows'
import { unexpectedAnswer } from '../vendor-calls'
import { sourceErrorOf } from '../failures'
import { SourceError, type Connector, type ConnectorContext, type ReadPage } from '../contract'
import { ProductError } from '../../shared/errors'
import type { LedgerTable } from '../../shared/data-sources/files'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

/** Fortnox keeps all books in kronor. */
const CURRENCY = 'SEK'
/** What statements are made of: offered even where the newest year has none of it yet. */
const ALWAYS: readonly LedgerTable[] = ['companies', 'fiscal_years', 'accounts', 'balances', 'vouchers', 'entries']

const DESCRIPTION: ConnectorDescription = {
  kind: 'fortnox',
  title: 'Fortnox',
  summary: 'Ledger, invoices, customers and articles from Fortnox',
  group: 'accounting',
  auth: 'oauth',
  fields: [],
  reads: [
    'The ledger of all fiscal years: accounts, balances and vouchers',
    'Customer invoices, without their rows',
    'Customers and articles',
  ],
  never: ['Changes anything in Fortnox', 'Reads employees, bank logins or attached files'],
  delivery: 'pull',
  rate: FORTNOX_RATE,
}

/** What was read last within one step: pages of a step are cut out of the same file, and do not ask for it each time. */
interface StepMemory {
  years?: VendorFiscalYear[]
  file?: { year: string; bytes: Uint8Array }
}
const memories = new WeakMap<ConnectorContext, StepMemory>()
function memoryOf(context: ConnectorContext): StepMemory {
  const known = memories.get(context) ?? {}
  memories.set(context, known)
  return known
}

/** The SIE export, type 4, of a fiscal year. */
async function sieOf(context: ConnectorContext, { id }: VendorFiscalYear): Promise<Uint8Array> {
  const memory = memoryOf(context)
  if (memory.file?.year === id) return memory.file.bytes
  const response = await fortnoxGet(context, 'sie/4', { financialyear: id })
  const bytes = await response.bytes().catch((error: unknown) => {
    throw sourceErrorOf(error, FORTNOX)
  })
  if (!isWholeSie(bytes)) throw unexpectedAnswer(FORTNOX)
  memory.file = { year: id, bytes }
  return bytes
}

async function yearsOf(context: ConnectorContext): Promise<VendorFiscalYear[]> {
  const memory = memoryOf(context)
  memory.years ??= await fortnoxYears(context)
  return memory.years
}

/** Tables of the ledger: those of statements, and others that the newest two years have. Without the right to books: none. */
async function ledgerStreams(context: ConnectorContext): Promise<SourceStream[]> {
  try {
    const years = await yearsOf(context)
    const tables = new Set<LedgerTable>(ALWAYS)
    for (const year of years.slice(-2))
      for (const table of await sieTables(await sieOf(context, year))) tables.add(table)
    return LEDGER_ORDER.filter((table) => tables.has(table)).map((table) => ledgerStream(table, CURRENCY))
  } catch (error) {
    if (error instanceof MissingRightError) return []
    throw error
  }
}

async function readLedger(context: ConnectorContext, table: LedgerTable, request: Parameters<Connector['read']>[1]) {
  const years = await yearsOf(context)
  const fileOf = (year: VendorFiscalYear): Promise<Uint8Array> => sieOf(context, year)
  return readSiePage({ table, request, years, fileOf, now: () => context.clock.now() })
}

/** What our own reader refuses is said in its words. */
const refusalOf = (error: unknown): unknown =>
  error instanceof ProductError
    ? new SourceError(error.code === 'too_large' ? 'too_large' : 'drift', {
        message: `Fortnox’s SIE export can’t be read: ${error.message}`,
        mend: 'Contact support with this message.',
      })
    : error

export const fortnoxConnector: Connector = {
  describe: () => DESCRIPTION,
  authorise: fortnoxAccess,

  async test(context) {
    const { name, tenant } = await fortnoxCompany(context)
    const { tenant: agreed = tenant } = context.connection.settings
    if (agreed !== tenant)
      throw new SourceError('auth', { message: 'Fortnox opened another company.', mend: 'Reconnect to the right one.' })
    return { account: name, warnings: [] }
  },

  async discover(context) {
    const ledger = await ledgerStreams(context)
    return [...ledger, ...(await fortnoxRegisterStreams(context, (error) => error instanceof MissingRightError))]
  },

  async read(context, request): Promise<ReadPage> {
    const table = ledgerTableOf(request.stream)
    if (table)
      return readLedger(context, table, request).catch((error: unknown) => {
        throw refusalOf(error)
      })
    const register = registerOf(request.stream)
    if (register) return readFortnoxRegister(context, register, request)
    throw new SourceError('drift', { message: 'This stream no longer exists.', mend: 'Remove it from the source.' })
  },
}
