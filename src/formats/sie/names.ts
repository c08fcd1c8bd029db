import type { Ledger } from './context'
import { UNKNOWN_YEAR } from './fiscal-years'
import type { Account } from './survey'

const TYPES: Record<string, string> = { T: 'asset', S: 'liability', I: 'income', K: 'expense' }

/** What an account is: as `#KTYP` says, else by its class in the BAS plan, where 80–83 are financial income. */
export function accountType({ account, type }: Pick<Account, 'account' | 'type'>, chart: string): string | null {
  const declared = TYPES[type]
  if (declared !== undefined) return declared
  if (!/^\d{4,}$/.test(account) || (chart !== '' && !/bas/i.test(chart))) return null
  if (/^1/.test(account)) return 'asset'
  if (/^2/.test(account)) return 'liability'
  if (/^(3|8[0-3])/.test(account)) return 'income'
  return /^[4-8]/.test(account) ? 'expense' : null
}

/** The tables of names, once it is known which years have figures. */
export async function writeNames(ledger: Ledger, flush: () => Promise<void>): Promise<void> {
  const { survey, tables, years } = ledger
  const { company } = survey
  const org = company.orgNumber
  tables.add(
    'companies',
    [
      org,
      company.name || null,
      company.currency,
      company.chart || null,
      company.sieType || null,
      company.program || null,
      company.generated,
    ],
    1,
  )
  const used = years.used()
  const all = years.all()
  for (const [name, year] of all) tables.add('fiscal_years', [org, name, year?.start ?? null, year?.end ?? null], 1)
  const withAccounts = used.length > 0 ? used : [all[0]?.[0] ?? UNKNOWN_YEAR]
  for (const year of withAccounts) {
    for (const account of survey.accounts.values()) writeAccount(ledger, account, year)
    await flush()
  }
  reportNameless(ledger)
  for (const { dimension, name, parent, line } of survey.dimensions.values())
    tables.add('dimensions', [org, dimension, name || null, parent || null], line)
  for (const { dimension, object, name, line } of survey.objects.values())
    tables.add('objects', [org, `${org}/${dimension}/${object}`, dimension, object, name || null], line)
}

/** Accounts that figures use and nothing names. */
function reportNameless({ survey, warnings }: Ledger): void {
  const nameless = [...survey.accounts.values()].filter(({ declared }) => !declared)
  const [first] = nameless
  if (!first) return
  const some = nameless.slice(0, 5).map(({ account }) => account)
  const more = nameless.length > some.length ? ` and ${nameless.length - some.length} more` : ''
  warnings.add(
    'unknown_records',
    `Accounts that the file uses without naming them (#KONTO): ${some.join(', ')}${more}.`,
    first.line,
  )
}

function writeAccount({ survey, tables }: Ledger, account: Account, year: string): void {
  const { orgNumber: org, chart } = survey.company
  const first = account.account.slice(0, 1)
  tables.add(
    'accounts',
    [
      org,
      year,
      `${org}/${year}/${account.account}`,
      account.account,
      account.name || null,
      accountType(account, chart),
      /\d/.test(first) ? first : null,
      account.sru.join(', ') || null,
      account.unit || null,
    ],
    account.line,
  )
}
