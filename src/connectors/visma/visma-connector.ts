import { vismaAccess } from './visma-access'
import { VISMA_RATE, vismaCompany } from './visma-calls'
import { readVismaLedger, VISMA_TABLES } from './visma-ledger'
import { readVismaRegister, vismaRegisterOf, vismaRegisterStreams } from './visma-registers'
import { ledgerStream, ledgerTableOf } from '../ledger/ledger-columns'
import { SourceError, type Connector, type ReadPage } from '../contract'
import type { ConnectorDescription } from '../../shared/data-sources/connectors'

const DESCRIPTION: ConnectorDescription = {
  kind: 'visma',
  title: 'Visma eAccounting / Spiris',
  summary: 'Ledger, invoices and customers from Visma eAccounting (Spiris)',
  group: 'accounting',
  auth: 'oauth',
  fields: [],
  reads: [
    'The ledger of all fiscal years: accounts, balances and vouchers',
    'Customer invoices, without their rows, and customers',
  ],
  never: ['Changes anything in Visma', 'Reads bank logins or attached files'],
  delivery: 'pull',
  rate: VISMA_RATE,
}

export const vismaConnector: Connector = {
  describe: () => DESCRIPTION,
  authorise: vismaAccess,

  async test(context) {
    return { account: (await vismaCompany(context)).name, warnings: [] }
  },

  async discover(context) {
    const { currency } = await vismaCompany(context)
    const ledger = VISMA_TABLES.map((table) => ledgerStream(table, currency))
    return [...ledger, ...(await vismaRegisterStreams(context))]
  },

  async read(context, request): Promise<ReadPage> {
    const table = ledgerTableOf(request.stream)
    if (table) return readVismaLedger(context, table, request)
    const register = vismaRegisterOf(request.stream)
    if (register) return readVismaRegister(context, register, request)
    throw new SourceError('drift', { message: 'This stream no longer exists.', mend: 'Remove it from the source.' })
  },
}
