import { ACCOUNT_NUMBERS, ACCOUNTS, accountType } from './accounts'
import { COST_CENTRES } from './books'
import type { Balances, Entry, FiscalYear, Voucher } from './books'
import { COMPANY } from './company'
import { isoOf } from './days'
import type { Day } from './days'

/** The signs outside ASCII that Swedish accounts need, in IBM code page 437: SIE's only encoding. */
const CP437: Record<string, number> = { å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99, é: 0x82 }
const UNKNOWN = 0x3f

/** Öre as kronor with a point and two decimals. */
export const kronor = (amount: number): string => {
  const whole = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}
const dateText = (day: Day): string => isoOf(day).replaceAll('-', '')
const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`

/** One fiscal year as a SIE 4 file. `before` gives its balances beside, as bookkeeping systems do. */
export function sieFile(file: { year: FiscalYear; before: FiscalYear | null; today: Day }): Uint8Array {
  const { year, before } = file
  const lines = [
    ...head(file),
    ...ACCOUNT_NUMBERS.map((account) => `#KONTO ${account} ${quoted(ACCOUNTS[account])}`),
    ...ACCOUNT_NUMBERS.map((account) => `#KTYP ${account} ${accountType(account)}`),
    '#DIM 1 "Kostnadsställe"',
    ...Object.entries(COST_CENTRES).map(([code, name]) => `#OBJEKT 1 ${quoted(code)} ${quoted(name)}`),
    ...balances(0, year),
    ...(before ? balances(-1, before) : []),
    ...year.vouchers.flatMap((voucher) => voucherLines(voucher)),
  ]
  return encoded(`${lines.join('\r\n')}\r\n`)
}

function head({ year, before, today }: { year: FiscalYear; before: FiscalYear | null; today: Day }): string[] {
  const range = ({ from, to }: FiscalYear): string => `${dateText(from)} ${dateText(to)}`
  return [
    '#FLAGGA 0',
    '#PROGRAM "Insikt exempel" 1.0',
    '#FORMAT PC8',
    `#GEN ${dateText(today)}`,
    '#SIETYP 4',
    '#PROSA "Ett påhittat företag. Alla uppgifter är exempel."',
    '#FTYP AB',
    `#ORGNR ${COMPANY.orgNumber}`,
    `#ADRESS ${[COMPANY.contact, COMPANY.street, COMPANY.town, COMPANY.phone].map(quoted).join(' ')}`,
    `#FNAMN ${quoted(COMPANY.name)}`,
    `#RAR 0 ${range(year)}`,
    ...(before ? [`#RAR -1 ${range(before)}`] : []),
    `#OMFATTN ${dateText(Math.min(year.to, today))}`,
    '#KPTYP EUBAS97',
    '#VALUTA SEK',
  ]
}

const records = (label: string, at: number, amounts: Balances): string[] =>
  [...amounts].flatMap(([account, amount]) => (amount === 0 ? [] : [`#${label} ${at} ${account} ${kronor(amount)}`]))

const balances = (at: number, { opening, closing, results }: FiscalYear): string[] => [
  ...records('IB', at, opening),
  ...records('UB', at, closing),
  ...records('RES', at, results),
]

function voucherLines({ series, number, day, text, entries }: Voucher): string[] {
  return [
    `#VER ${series} ${number} ${dateText(day)} ${quoted(text)} ${dateText(day)}`,
    '{',
    ...entries.map(entryLine),
    '}',
  ]
}

const entryLine = ({ account, amount, costCentre }: Entry): string =>
  `   #TRANS ${account} {${costCentre === undefined ? '' : `1 "${costCentre}"`}} ${kronor(amount)}`

function encoded(text: string): Uint8Array {
  return Uint8Array.from(text, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 0x80 ? code : (CP437[sign] ?? UNKNOWN)
  })
}
