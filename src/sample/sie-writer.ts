import { ACCOUNT_NUMBERS, ACCOUNTS, accountType, COST_CENTRES } from './bookkeeping'
import type { Balances, VoucherEntry, FiscalYear, Voucher } from './bookkeeping'
import { COMPANY } from './scenario'
import { isoFromDay, type DayNumber } from './days'

/** The signs outside ASCII that Swedish accounts need, in IBM code page 437: SIE's only encoding. */
const CP437: Record<string, number> = { å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99, é: 0x82 }
const UNKNOWN = 0x3f

/** Öre as kronor with a point and two decimals. */
export const formatKronor = (amount: number): string => {
  const whole = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}
const sieDate = (dayNumber: DayNumber): string => isoFromDay(dayNumber).replaceAll('-', '')
const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`

/** One fiscal year as a SIE 4 file. `before` gives its balances beside, as bookkeeping systems do. */
export function sieFile(file: { year: FiscalYear; before: FiscalYear | null; today: DayNumber }): Uint8Array {
  const { year, before } = file
  const lines = [
    ...sieHeader(file),
    ...ACCOUNT_NUMBERS.map((account) => `#KONTO ${account} ${quoted(ACCOUNTS[account])}`),
    ...ACCOUNT_NUMBERS.map((account) => `#KTYP ${account} ${accountType(account)}`),
    '#DIM 1 "Kostnadsställe"',
    ...Object.entries(COST_CENTRES).map(([code, name]) => `#OBJEKT 1 ${quoted(code)} ${quoted(name)}`),
    ...yearBalances(0, year),
    ...(before ? yearBalances(-1, before) : []),
    ...year.vouchers.flatMap((voucher) => voucherLines(voucher)),
  ]
  return encodeCp437(`${lines.join('\r\n')}\r\n`)
}

function sieHeader({
  year,
  before,
  today,
}: {
  year: FiscalYear
  before: FiscalYear | null
  today: DayNumber
}): string[] {
  const range = ({ from, to }: FiscalYear): string => `${sieDate(from)} ${sieDate(to)}`
  return [
    '#FLAGGA 0',
    '#PROGRAM "Insikt exempel" 1.0',
    '#FORMAT PC8',
    `#GEN ${sieDate(today)}`,
    '#SIETYP 4',
    '#PROSA "Ett påhittat företag. Alla uppgifter är exempel."',
    '#FTYP AB',
    `#ORGNR ${COMPANY.orgNumber}`,
    `#ADRESS ${[COMPANY.contact, COMPANY.street, COMPANY.town, COMPANY.phone].map(quoted).join(' ')}`,
    `#FNAMN ${quoted(COMPANY.name)}`,
    `#RAR 0 ${range(year)}`,
    ...(before ? [`#RAR -1 ${range(before)}`] : []),
    `#OMFATTN ${sieDate(Math.min(year.to, today))}`,
    '#KPTYP EUBAS97',
    '#VALUTA SEK',
  ]
}

const balanceRecords = (label: string, at: number, amounts: Balances): string[] =>
  [...amounts].flatMap(([account, amount]) =>
    amount === 0 ? [] : [`#${label} ${at} ${account} ${formatKronor(amount)}`],
  )

const yearBalances = (at: number, { opening, closing, results }: FiscalYear): string[] => [
  ...balanceRecords('IB', at, opening),
  ...balanceRecords('UB', at, closing),
  ...balanceRecords('RES', at, results),
]

function voucherLines({ series, number, day, text, entries }: Voucher): string[] {
  return [
    `#VER ${series} ${number} ${sieDate(day)} ${quoted(text)} ${sieDate(day)}`,
    '{',
    ...entries.map(entryLine),
    '}',
  ]
}

const entryLine = ({ account, amount, costCentre }: VoucherEntry): string =>
  `   #TRANS ${account} {${costCentre === undefined ? '' : `1 "${costCentre}"`}} ${formatKronor(amount)}`

function encodeCp437(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    bytes[at] = code < 0x80 ? code : (CP437[text.charAt(at)] ?? UNKNOWN)
  }
  return bytes
}
