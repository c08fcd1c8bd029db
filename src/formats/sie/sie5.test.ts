import { describe, expect, it } from 'vitest'
import { openFile, recordsOf, type CollectedTable } from '../../../test/suites/open-file'
import { SIE5_LEDGER as XML } from '../../../test/worker/ledgers/sie5-ledger'
import type { FileWarning } from '../../shared/data-sources/files'
import { ProductError } from '../../shared/errors'
import { sieReader } from './sie-reader'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const open = (text: string) => openFile(sieReader, { name: 'a.sie', bytes: utf8(text) })

const TEXT = `#FLAGGA 0
#SIETYP 5
#FORMAT PC8
#PROGRAM "Bokf\u00f6r" 5
#GEN 20260201
#ORGNR 556677-8899
#FNAMN "\u00c5keri & Son AB"
#VALUTA EUR
#RAR -1 20240101 20241231
#RAR 0 20250101 20251231
#KONTO 1930 Bank
#KTYP 1930 T
#KONTO 5010 Lokalhyra
#KTYP 5010 K
#ENHET 5010 m2
#DIM 1 "Kostnadsst\u00e4lle"
#OBJEKT 1 10 Lund
#DIM 6 Projekt
#OBJEKT 6 P1 "Projekt ett"
#IB 0 1930 100.00
#UB 0 1930 70.5
#UB -1 1930 100.00
#RES 0 5010 29.50
#RES 0 5010 {1 10 6 P1} 29.50 3
#PBUDGET 0 202503 5010 {} 12.00
#VER A 1 20250305 Hyra 20250306
{
#TRANS 1930 {} -29.50
#TRANS 5010 {1 10} 29.50 20250331 Mars 3
}
`
/** Tables without the lines of their rows, and of what they know. */
const contentOf = (tables: CollectedTable[]): Record<string, unknown> =>
  Object.fromEntries(tables.map((table) => [table.name, [recordsOf(table), table.hints]]))

describe('a ledger in SIE 5', () => {
  it('is told by its root, whatever the name', () => {
    expect(sieReader.recognises(utf8(XML), 'x.xml')).toBe(true)
    expect(sieReader.recognises(utf8('<?xml version="1.0"?><Siena/>'), 'x.sie')).toBe(false)
  })

  it('is read in UTF-16, by its byte order mark', async () => {
    const units = Uint16Array.from(`\ufeff${XML.replace('utf-8', 'utf-16')}`, (unit) => unit.charCodeAt(0))
    const bytes = new Uint8Array(units.buffer)
    expect(sieReader.recognises(bytes, 'x.sie')).toBe(true)
    const [wide, narrow] = [await openFile(sieReader, { name: 'a.sie', bytes }), await open(XML)]
    expect(contentOf(wide.tables)).toEqual(contentOf(narrow.tables))
  })

  it('becomes the same tables as the same ledger in SIE 4', async () => {
    const [xml, text] = [await open(XML), await open(TEXT)]
    expect(contentOf(xml.tables)).toEqual(contentOf(text.tables))
    const said = (warnings: FileWarning[]): string[] =>
      warnings.filter(({ code }) => code !== 'encoding_declared').map(({ message }) => message)
    expect(said(xml.warnings)).toEqual(said(text.warnings))
  })

  it('keeps the line of each row', async () => {
    const { tables } = await open(XML)
    const entries = tables.find(({ name }) => name === 'entries')
    expect(entries?.lines.map((line) => XML.split('\n')[line - 1]?.trim().slice(0, 40))).toEqual([
      '<sie:LedgerEntry accountId="1930" amount',
      '<sie:LedgerEntry accountId="5010" amount',
    ])
  })

  it('gives what an account moved in each month, and the last month of a running year as its closing balance', async () => {
    const months = `<OpeningBalance month="2025-01" amount="5"/><ClosingBalance month="2025-01" amount="7.25"/>
      <OpeningBalance month="2025-02" amount="7.25"/><ClosingBalance month="2025-02" amount="-1"/>`
    const { tables } = await open(
      XML.replaceAll('sie:', '')
        .replace('<OpeningBalance month="2025-01" amount="100.00"/>', months)
        .replace('<ClosingBalance month="2025-12" amount="70.5"/>', ''),
    )
    const rows = (name: string) =>
      tables
        .filter((table) => table.name === name)
        .flatMap(recordsOf)
        .filter((row) => row['account'] === '1930')
    expect(rows('period_balances').map((row) => [row['period'], row['amount']])).toEqual([
      ['2025-01-01', '2.25'],
      ['2025-02-01', '-8.25'],
    ])
    expect(rows('balances').map((row) => [row['fiscal_year'], row['kind'], row['amount']])).toEqual([
      ['2025', 'IB', '5'],
      ['2025', 'UB', '-1'],
      ['2024', 'UB', '100.00'],
    ])
  })

  it('makes no movement of an opening that cannot be read', async () => {
    const months = '<OpeningBalance month="2025-02" amount="x"/><ClosingBalance month="2025-02" amount="7.25"/>'
    const { tables, warnings } = await open(
      XML.replaceAll('sie:', '').replace('<ClosingBalance month="2025-12" amount="70.5"/>', months),
    )
    const moved = tables.filter(({ name }) => name === 'period_balances').flatMap(recordsOf)
    expect(moved.map(({ amount }) => amount)).toEqual([null])
    expect(warnings.map(({ message }) => message)).toEqual(expect.arrayContaining([expect.stringContaining('“x”')]))
  })

  it('says what it leaves out, and which vouchers do not balance', async () => {
    const { warnings } = await open(
      XML.replace('amount="-29.50"', 'amount="-20"').replace(
        '<sie:Dimensions>',
        '<sie:CustomerInvoices primaryAccountId="1510"><sie:CustomerInvoice id="1"/><sie:CustomerInvoice id="2"/></sie:CustomerInvoices><sie:Dimensions>',
      ),
    )
    expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['unknown_records', 'unbalanced_voucher']))
    expect(warnings.find(({ code }) => code === 'unknown_records')?.message).toBe(
      'Skipped: 2 × CustomerInvoice. Subledgers aren’t imported.',
    )
  })

  const refusalOf = async (text: string): Promise<unknown> => {
    const error = await open(text).catch((caught: unknown) => caught)
    if (!(error instanceof ProductError)) throw error
    expect(error.message).toContain('SIE file')
    return error.details['reason']
  }

  it.each([
    ['an outside entity', XML.replace('<sie:Sie ', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><sie:Sie ')],
    ['an entity bomb', XML.replace('<sie:Sie ', '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "lol">]><sie:Sie ')],
    ['an entity of its own', XML.replace('Åkeri &amp; Son', '&bomb;')],
    [
      'a row of endless objects',
      XML.replace('<sie:Overstrike', '<sie:ObjectReference dimId="1" objectId="1"/>'.repeat(1001) + '<sie:Overstrike'),
    ],
    ['endless nesting', XML.replace('<sie:Accounts>', '<a>'.repeat(1000))],
  ])('is refused as unsafe with %s', async (_name, text) => {
    expect(await refusalOf(text)).toBe('unsafe')
  })

  it('is refused as broken when it ends too early', async () => {
    expect(await refusalOf(XML.slice(0, XML.length / 2))).toBe('broken')
  })
})
