import type { SieContext } from './context'
import { UNKNOWN_YEAR } from './fiscal-years'
import type { SieAccount } from './metadata'
import { wordTable } from '../../lib/word-table'

const ACCOUNT_TYPES: Record<string, string> = wordTable({ T: 'asset', S: 'liability', I: 'income', K: 'expense' })

/** What an account is: as `#KTYP` says, else by its class in the BAS plan, where 80–83 are financial income. */
function inferAccountType({ account, type }: Pick<SieAccount, 'account' | 'type'>, chart: string): string | null {
  const declared = ACCOUNT_TYPES[type]
  if (declared !== undefined) return declared
  if (!/^\d{4,}$/.test(account) || (chart !== '' && !/bas/i.test(chart))) return null
  if (/^1/.test(account)) return 'asset'
  if (/^2/.test(account)) return 'liability'
  if (/^(3|8[0-3])/.test(account)) return 'income'
  return /^[4-8]/.test(account) ? 'expense' : null
}

/** The tables of names, once it is known which years have figures. */
export async function writeMasterTables(sieContext: SieContext, flush: () => Promise<void>): Promise<void> {
  const { survey, tables, years } = sieContext
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
    for (const account of survey.accounts.values()) addAccountRow(sieContext, account, year)
    await flush()
  }
  warnUndeclaredAccounts(sieContext)
  for (const { dimension, name, parent, line } of survey.dimensions.values())
    tables.add('dimensions', [org, dimension, name || null, parent || null], line)
  for (const { dimension, object, name, line } of survey.objects.values())
    tables.add('objects', [org, `${org}/${dimension}/${object}`, dimension, object, name || null], line)
}

/** Accounts that figures use and nothing names. */
function warnUndeclaredAccounts({ survey, warnings }: SieContext): void {
  const nameless = [...survey.accounts.values()].filter(({ declared }) => !declared)
  const [first] = nameless
  if (!first) return
  const some = nameless.slice(0, 5).map(({ account }) => account)
  const more = nameless.length > some.length ? ` and ${nameless.length - some.length} more` : ''
  warnings.add(
    'unknown_records',
    `Accounts used but not named in the file (#KONTO): ${some.join(', ')}${more}.`,
    first.line,
  )
}

function addAccountRow({ survey, tables }: SieContext, sieAccount: SieAccount, year: string): void {
  const { orgNumber: org, chart } = survey.company
  const first = sieAccount.account.slice(0, 1)
  tables.add(
    'accounts',
    [
      org,
      year,
      `${org}/${year}/${sieAccount.account}`,
      sieAccount.account,
      sieAccount.name || null,
      inferAccountType(sieAccount, chart),
      /\d/.test(first) ? first : null,
      sieAccount.sru.join(', ') || null,
      sieAccount.unit || null,
    ],
    sieAccount.line,
  )
}
