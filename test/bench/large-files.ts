import { closeSync, openSync, writeSync } from 'node:fs'
import { Zip, ZipDeflate, strToU8 } from 'fflate'

const WRITE_CHARS = 1_000_000

/** A file that is written piece by piece. */
function writerOf(path: string): { write: (bytes: Uint8Array) => void; close: () => void } {
  const file = openSync(path, 'w')
  return { write: (bytes) => writeSync(file, bytes), close: () => closeSync(file) }
}

/** Pieces of text, joined to some of a megabyte. */
function* joined(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < WRITE_CHARS) continue
    yield text
    text = ''
  }
  yield text
}

const ACCOUNTS = 400
const ROWS_OF_VOUCHER = 4
const day = (n: number): string =>
  `2025${String(1 + (n % 12)).padStart(2, '0')}${String(1 + (n % 28)).padStart(2, '0')}`

function* ledgerLines(rows: number): Generator<string> {
  yield '#FLAGGA 0\n#FORMAT UTF-8\n#SIETYP 4\n#ORGNR 556000-0001\n#FNAMN "Alfa AB"\n#RAR 0 20250101 20251231\n'
  for (let n = 0; n < ACCOUNTS; n++) yield `#KONTO ${1000 + n * 20} "Account ${n}"\n`
  for (let n = 0; n < 50; n++) yield `#OBJEKT 1 ${n} "Cost centre ${n}"\n`
  for (let voucher = 1; voucher * ROWS_OF_VOUCHER <= rows; voucher++) {
    const amount = `${(voucher * 7919) % 100_000}.${String(voucher % 100).padStart(2, '0')}`
    let text = `#VER A ${voucher} ${day(voucher)} "Voucher ${voucher}"\n{\n`
    for (let row = 0; row < ROWS_OF_VOUCHER; row++) {
      const account = 1000 + ((voucher * 31 + row * 7) % ACCOUNTS) * 20
      text += `#TRANS ${account} {1 ${(voucher + row) % 50}} ${row % 2 === 0 ? '' : '-'}${amount}\n`
    }
    yield `${text}}\n`
  }
}

/** Writes a ledger (SIE 4) of so many entries, the same each time. */
export function writeLedger(path: string, rows: number): void {
  const file = writerOf(path)
  for (const text of joined(ledgerLines(rows))) file.write(strToU8(text))
  file.close()
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const link = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`
const NAMES = Array.from({ length: 20_000 }, (_, at) => `Customer number ${at}`)
const HEADINGS = ['Customer', 'Day', 'Order', 'Quantity', 'Amount']

function* sheetLines(rows: number): Generator<string> {
  yield `<worksheet><sheetData><row r="1">${HEADINGS.map((_, n) => `<c r="${'ABCDE'[n]}1" t="s"><v>${n}</v></c>`).join('')}</row>`
  for (let n = 2; n <= rows + 1; n++) {
    const figures = [46_000 + (n % 900), n, n % 12, `${(n * 7919) % 100_000}.${n % 100}`]
    const cells = figures.map(
      (figure, at) => `<c r="${'BCDE'[at]}${n}"${at === 0 ? ' s="1"' : ''}><v>${figure}</v></c>`,
    )
    yield `<row r="${n}"><c r="A${n}" t="s"><v>${HEADINGS.length + ((n * 31) % NAMES.length)}</v></c>${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function* workbookParts(sheets: number, rows: number): Generator<[name: string, text: Iterable<string>]> {
  const all = Array.from({ length: sheets }, (_, at) => at + 1)
  const list = all.map((at) => `<sheet name="Region ${at}" sheetId="${at}" r:id="r${at}"/>`).join('')
  const links = all.map((at) => link(`r${at}`, 'worksheet', `worksheets/s${at}.xml`)).join('')
  yield ['_rels/.rels', [`<Relationships>${link('r1', 'officeDocument', '/xl/workbook.xml')}</Relationships>`]]
  yield ['xl/workbook.xml', [`<workbook xmlns:r="${OFFICE}"><sheets>${list}</sheets></workbook>`]]
  const shared = link('rS', 'sharedStrings', 'st.xml') + link('rT', 'styles', 'styles.xml')
  yield ['xl/_rels/workbook.xml.rels', [`<Relationships>${links}${shared}</Relationships>`]]
  yield ['xl/styles.xml', ['<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>']]
  const texts = [...HEADINGS, ...NAMES].map((text) => `<si><t>${text}</t></si>`)
  yield ['xl/st.xml', ['<sst>', ...texts, '</sst>']]
  for (const at of all) yield [`xl/worksheets/s${at}.xml`, sheetLines(rows)]
}

/** Writes a workbook of so many sheets with so many rows each, the same each time. */
export function writeWorkbook(path: string, sheets: number, rows: number): void {
  const file = writerOf(path)
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    file.write(bytes)
  })
  for (const [name, lines] of workbookParts(sheets, rows)) {
    const part = new ZipDeflate(name, { level: 3 })
    zip.add(part)
    for (const text of joined(lines)) part.push(strToU8(text))
    part.push(new Uint8Array(0), true)
  }
  zip.end()
  file.close()
}
