import { describe, expect, it } from 'vitest'
import { INFLATED_RATIO_EXEMPT_BYTES } from '../../shared/limits'
import { onlyTable, openWorkbook, refusalOf, xlsxOf, type MadeWorkbook } from '../../../test/worker/workbooks'
import type { CollectedTable } from '../../../test/suites/open-file'

const sheet = (rows: string, more: Partial<MadeWorkbook> = {}, after = ''): Promise<Uint8Array> =>
  xlsxOf({ sheets: [{ name: 'Data', rows, after }], ...more })
const table = async (rows: string, more?: Partial<MadeWorkbook>, after?: string): Promise<CollectedTable> =>
  onlyTable(await sheet(rows, more, after))
const codes = ({ warnings }: CollectedTable): string[] => warnings.map(({ code }) => code)
const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const merges = (...refs: string[]): string =>
  `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`

describe('an XLSX sheet', () => {
  it('gives cells of every kind as text, in rows with their own numbers', async () => {
    const { rows, lines } = await table(
      `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh><t>no</t></rPh></is></c><c r="C2" t="str"><f>A1</f><v>a_x000D_b</v></c></row>
       <row r="5"><c r="A5"><v>1.50</v></c><c r="B5" t="b"><v>1</v></c><c r="C5" t="b"><v>0</v></c><c r="D5" t="d"><v>2026-01-31T00:00:00</v></c></row>
       <row><c><v>-0</v></c><c/><c><v>1E-7</v></c></row>`,
      {
        strings: [
          '<r><t xml:space="preserve">sha </t></r><r><t>red &amp; rich</t></r><rPh sb="0" eb="1"><t>no</t></rPh>',
        ],
      },
    )
    expect(lines).toEqual([2, 5, 6])
    expect(rows).toEqual([
      ['sha red & rich', 'inline', 'a\rb', null],
      ['1.5', 'true', 'false', '2026-01-31'],
      ['0', null, '1e-7', null],
    ])
  })

  it('keeps every digit: doubles by their shortest text, whole numbers and texts as they stand', async () => {
    const { rows, hints } = await table(
      `<row><c><v>0.10000000000000001</v></c><c><v>9007199254740993</v></c>${text('C1', '0012')}${text('D1', '12345678901234567890')}<c><v>1E+20</v></c></row>`,
    )
    expect(rows).toEqual([['0.1', '9007199254740993', '0012', '12345678901234567890', '100000000000000000000']])
    expect(hints).toEqual([
      { index: 2, type: 'text' },
      { index: 3, type: 'text' },
    ])
  })

  it('reads dates, times and durations by their number format, and counts from 1904 where the workbook does', async () => {
    const rows = `<row><c s="1"><v>44197</v></c><c s="1"><v>44197.5</v></c><c s="2"><v>0.25</v></c><c s="3"><v>1.0625</v></c><c s="4"><v>44197</v></c></row>`
    const formats = ['yyyy-mm-dd', 'hh:mm', '[h]:mm', '0.0']
    const found = await table(rows, { formats })
    expect(found.rows).toEqual([['2021-01-01', '2021-01-01T12:00:00', '06:00:00', '25.5', '44197']])
    expect(codes(found)).toEqual(['durations'])
    expect((await table(rows, { formats, date1904: true })).rows[0]?.[0]).toBe('2025-01-02')
  })

  it('reads a cell without a style by the first style of the workbook', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    const parts = { 'xl/styles.xml': styles }
    expect((await table('<row><c><v>44197</v></c><c s="99"><v> 7 </v></c></row>', { parts })).rows).toEqual([
      ['2021-01-01', '7'],
    ])
  })

  it('takes no format of conditional formatting for one of cells that has the same number', async () => {
    const styles =
      '<styleSheet><numFmts/><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>' +
      '<dxfs><dxf><numFmt numFmtId="14" formatCode="0.00%"/></dxf></dxfs></styleSheet>'
    const found = await table('<row><c s="1"><v>44197</v></c></row>', { parts: { 'xl/styles.xml': styles } })
    expect(found.rows).toEqual([['2021-01-01']])
  })

  it('is read although another one is missing in the file, which is told', async () => {
    const rows = '<row><c><v>1</v></c></row>'
    const sheets = ['Data', 'Gone', 'Lost'].map((name) => ({ name, rows }))
    const links = ['worksheets/s1.xml', 'worksheets/nowhere.xml']
    const rels = links
      .map((target, n) => `<Relationship Id="rId${n + 1}" Type="x/worksheet" Target="${target}"/>`)
      .join('')
    const parts = { 'xl/_rels/workbook.xml.rels': `<Relationships>${rels}</Relationships>` }
    const { tables, warnings } = await openWorkbook(await xlsxOf({ sheets, parts }))
    expect(tables.map(({ name }) => name)).toEqual(['Data'])
    expect(warnings.map(({ message }) => message)).toEqual([
      '“Gone” is missing in the file and was skipped.',
      '“Lost” is missing in the file and was skipped.',
    ])
    const none = { 'xl/_rels/workbook.xml.rels': '<Relationships/>' }
    expect((await refusalOf(await xlsxOf({ sheets, parts: none }))).message).toContain('the sheet “Data” is missing')
  })

  it('hints at percent and at a currency only where nearly all numbers of the column have it', async () => {
    const cells = (row: number): string =>
      `<row><c s="1"><v>0.${row}</v></c><c s="2"><v>${row}</v></c><c s="${row === 3 ? 3 : 2}"><v>5</v></c></row>`
    const { hints, rows } = await table([1, 2, 3].map(cells).join(''), { formats: ['0%', '0 [$SEK]', '0 [$€-407]'] })
    expect(rows[0]).toEqual(['0.1', '1', '5'])
    expect(hints).toEqual([
      { index: 0, format: { style: 'percent' } },
      { index: 1, format: { style: 'currency', currency: 'SEK' } },
    ])
  })

  it('leaves errors and formulas without a result empty, and says how many and where', async () => {
    const found = await table(
      `<row><c t="e"><v>#DIV/0!</v></c><c><f>1+1</f></c><c t="str"><f>x</f><v></v></c><c t="s"><v>7</v></c><c><f>A1</f><v>2</v></c></row>`,
    )
    expect(found.rows).toEqual([['2']])
    expect(found.warnings.map(({ message }) => message)).toEqual([
      '2 cells hold errors (#DIV/0!, text missing), first A1. They are left empty.',
      '1 formula has no saved result, first B1. Save the workbook in Excel and upload it again.',
    ])
  })

  it('begins at the first used column and row, and is as wide as the used range', async () => {
    const { rows, lines } = await table(
      `<row r="4">${text('C4', 'label')}</row><row r="5"><c r="C5"><v>1</v></c><c r="E5"><v>2</v></c></row>`,
    )
    expect(lines).toEqual([4, 5])
    expect(rows).toEqual([
      ['label', null, null],
      ['1', null, '2'],
    ])
  })

  it('joins headings in two rows into one where groups are merged across names', async () => {
    const found = await table(
      `<row>${text('A1', 'Store')}${text('B1', '2024')}<c r="C1"/>${text('D1', '2025')}</row>
       <row>${text('B2', 'Q1')}${text('C2', 'Q2')}${text('D2', 'Q1')}${text('E2', 'Q2')}</row>
       <row>${text('A3', 'Lund')}<c r="B3"><v>1</v></c><c r="C3"><v>2</v></c><c r="D3"><v>3</v></c><c r="E3"><v>4</v></c></row>`,
      {},
      merges('A1:A2', 'B1:C1', 'D1:E1'),
    )
    expect(found.lines).toEqual([2, 3])
    expect(found.rows[0]).toEqual(['Store', '2024 Q1', '2024 Q2', '2025 Q1', '2025 Q2'])
    expect(codes(found)).toEqual(['merged_cells', 'merged_cells'])
  })

  it('joins groups of one name, which nobody merges, and takes the names of rows below in', async () => {
    const sums = '<c r="B4"><v>1</v></c><c r="C4"><v>2</v></c><c r="D4"><v>3</v></c>'
    const found = await table(
      `<row>${text('B1', 'Quantity')}<c r="C1"/>${text('D1', 'Price')}</row>
       <row>${text('B2', 'sum')}${text('C2', 'mean')}${text('D2', 'min')}</row><row>${text('A3', 'Town')}</row>
       <row>${text('A4', 'Lund')}${sums}</row>`,
      {},
      merges('B1:C1'),
    )
    expect(found.rows).toEqual([
      ['Town', 'Quantity sum', 'Quantity mean', 'Price min'],
      ['Lund', '1', '2', '3'],
    ])
  })

  it('joins no title above figures, and takes no row that has more in as names of rows', async () => {
    const figures = `<row>${text('A1', 'Year')}${text('B1', 'All')}</row><row>${text('A2', 'a')}<c r="B2"><v>7</v></c><c r="C2"><v>8</v></c></row>`
    expect((await table(figures, {}, merges('B1:C1'))).rows[0]).toEqual(['Year', 'All', null])
    const rows = `<row>${text('B1', 'Q')}${text('D1', 'P')}</row><row>${text('B2', 's')}${text('C2', 'm')}${text('D2', 'n')}</row>
       <row>${text('A3', 'Lund')}<c r="B3"><v>1</v></c></row>`
    expect((await table(rows, {}, merges('B1:C1'))).rows).toEqual([
      [null, 'Q s', 'Q m', 'P n'],
      ['Lund', '1', null, null],
    ])
  })

  it('leaves other merged cells alone: the value stands in the first', async () => {
    const found = await table(
      `<row>${text('A1', 'Report of the year')}</row><row>${text('A2', 'town')}${text('B2', 'n')}</row>
       <row>${text('A3', 'Lund')}<c r="B3"><v>1</v></c></row><row><c r="B4"><v>2</v></c></row>`,
      {},
      merges('A1:B1', 'A3:A4'),
    )
    expect(found.rows).toEqual([
      ['Report of the year', null],
      ['town', 'n'],
      ['Lund', '1'],
      [null, '2'],
    ])
  })
})

describe('an XLSX workbook', () => {
  it('offers visible sheets first, hidden ones optionally, and leaves out empty ones and charts with a word', async () => {
    const rows = '<row><c><v>1</v></c></row>'
    const { tables, warnings } = await openWorkbook(
      await xlsxOf({
        sheets: [
          { name: 'Secret', rows, state: 'veryHidden' },
          { name: 'Open', rows },
          { name: 'Nothing', rows: '<row><c s="1"/></row>' },
          { name: 'Picture', rows: '', kind: 'chartsheet' },
        ],
      }),
    )
    expect(tables.map(({ name, optional }) => [name, optional])).toEqual([
      ['Open', undefined],
      ['Secret', true],
    ])
    expect(tables.map(codes)).toEqual([[], ['hidden_sheet']])
    expect(warnings.map(({ message }) => message)).toEqual([
      '“Nothing” has no values and was skipped.',
      '“Picture” holds no cells (a chart, dialog or macro) and was skipped.',
    ])
  })

  it('offers at most 20 sheets and says that there are more', async () => {
    const sheets = Array.from({ length: 25 }, (_, i) => ({ name: `S${i}`, rows: '<row><c><v>1</v></c></row>' }))
    const { tables, warnings } = await openWorkbook(await xlsxOf({ sheets }))
    expect(tables).toHaveLength(20)
    expect(warnings.map(({ code }) => code)).toEqual(['skipped_sheet'])
  })

  it('keeps letters as they are written: composed or not, joined, from right to left', async () => {
    const words = ['\u00e5', 'a\u030a', '\u212b', 'ß', 'İ', '👩‍👩‍👧', '\u202eabc', '١٢', '−5']
    const cells = words.map((word, i) =>
      i % 2 === 0 ? `<c t="inlineStr"><is><t>${word}</t></is></c>` : `<c t="s"><v>${i}</v></c>`,
    )
    const strings = words.map((word) => `<t>${word}</t>`)
    expect((await table(`<row>${cells.join('')}</row>`, { strings })).rows).toEqual([words])
  })

  it('takes keys of objects for plain names', async () => {
    const { rows } = await table(
      `<row>${text('A1', '__proto__')}${text('B1', 'constructor')}</row><row><c><v>1</v></c></row>`,
    )
    expect(rows[0]).toEqual(['__proto__', 'constructor'])
    expect(Object.keys({})).toEqual([])
    expect(Object.hasOwn(Object.prototype, '1')).toBe(false)
  })
})

describe('what lies in the same container', () => {
  it('is refused with what to do: a document', async () => {
    const refusal = await refusalOf(await sheet('', { parts: { 'word/document.xml': '<a/>' } }))
    expect(refusal).toMatchObject({ code: 'file_unreadable', reason: 'unsupported' })
    expect(refusal.message).toContain('not a workbook')
  })
})

describe('a hostile XLSX', () => {
  it.each([
    [
      'a DOCTYPE in a sheet',
      { 'xl/worksheets/s1.xml': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet/>' },
    ],
    [
      'an entity of its own',
      { 'xl/worksheets/s1.xml': '<worksheet><sheetData><row><c><v>&e;</v></c></row></sheetData></worksheet>' },
    ],
    ['a DOCTYPE in the shared texts', { 'xl/sharedStrings.xml': '<!DOCTYPE x><sst/>' }],
    ['endless nesting', { 'xl/worksheets/s1.xml': '<a>'.repeat(100_000) }],
    ['a cell of a megabyte', { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>` }],
  ])('is refused as unsafe: %s', async (_, parts) => {
    expect(await refusalOf(await sheet('', { parts }))).toMatchObject({ code: 'file_unreadable', reason: 'unsafe' })
  })

  it('is stopped by what it inflates to, whether it says so or not', async () => {
    const bomb = `<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(INFLATED_RATIO_EXEMPT_BYTES / 20)}</sheetData></worksheet>`
    const honest = await sheet('', { parts: { 'xl/worksheets/s1.xml': bomb } })
    expect(honest.length).toBeLessThan(200_000)
    expect((await refusalOf(honest)).reason).toBe('unsafe')
    const lying = await xlsxOf(
      { sheets: [{ name: 'a', rows: '' }], parts: { 'xl/worksheets/s1.xml': bomb } },
      (entries) => entries.map((entry) => (entry.bytes === bomb ? { ...entry, size: 1000 } : entry)),
    )
    expect((await refusalOf(lying)).reason).toBe('unsafe')
  })

  it('costs nothing by claims: dimensions, merges of everything, columns to the end of the sheet', async () => {
    const found = await table(
      '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="B1048576"><v>3</v></c></row>',
      {},
      `<dimension ref="A1:XFD1048576"/>${merges('A1:XFD1048576', 'nonsense', 'A1:ZZZ9999999')}`,
    )
    expect(found.lines).toEqual([1, 1_048_576])
    // Wider than a dataset: only the columns that hold something.
    expect(found.rows).toEqual([
      ['1', null, '2'],
      [null, '3', null],
    ])
    expect(codes(found)).toEqual(['merged_cells'])
  })

  it('loses no value past the last column of a dataset without a word', async () => {
    const wide = Array.from({ length: 600 }, (_, i) => `<c><v>${i}</v></c>`).join('')
    const found = await table(`<row>${wide}</row><row><c><v>1</v></c></row>`)
    expect(found.rows.map((row) => row.length)).toEqual([500, 500])
    expect(found.warnings[0]?.message).toContain(
      'Only 500 columns can be imported. Values further right were skipped, first SG1.',
    )
    const long = await table(`<row><c r="C1"><v>1</v></c></row>`.concat(`<row>${wide}</row>`.repeat(400)))
    expect(long.rows.slice(0, 2).map((row) => row.length)).toEqual([500, 500])
    expect(long.warnings[0]?.message).toContain('first SG2')
  })

  it.each([
    ['a column past the end', '<row><c r="XFE1"><v>1</v></c></row>'],
    ['a row past the end', '<row r="1048577"><c><v>1</v></c></row>'],
    ['a row without a number', '<row r="x"><c><v>1</v></c></row>'],
    ['a sheet cut off', '<row><c><v>1</v>'],
  ])('is refused as broken, naming the sheet: %s', async (_, rows) => {
    const refusal = await refusalOf(await sheet(rows))
    expect(refusal).toMatchObject({ code: 'file_unreadable', reason: 'broken' })
    expect(refusal.message).toContain('Sheet “Data”')
  })

  it('reads no more than 100 000 styles', async () => {
    const styles = `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(100_001)}</cellXfs></styleSheet>`
    expect((await refusalOf(await sheet('', { parts: { 'xl/styles.xml': styles } }))).code).toBe('too_large')
  })

  it('keeps no lists in memory that no workbook has', async () => {
    const link = (n: number): string => `<Relationship Id="x${n}" Type="t/theme" Target="theme${n}.xml"/>`
    const links = Array.from({ length: 300_000 }, (_, n) => link(n)).join('')
    const parts = { 'xl/_rels/workbook.xml.rels': `<Relationships>${links}</Relationships>` }
    const refusal = await refusalOf(await xlsxOf({ sheets: [{ name: 'a', rows: '' }], parts }))
    expect([refusal.reason, refusal.message]).toEqual(['unsafe', expect.stringContaining('a list in it')])
  })

  it('follows no link out of the file', async () => {
    const outside = (target: string): Record<string, string> => ({
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="x/worksheet" TargetMode="External" Target="${target}"/></Relationships>`,
    })
    expect((await refusalOf(await sheet('', { parts: outside('https://example.com/sheet1.xml') }))).reason).toBe(
      'broken',
    )
    expect((await refusalOf(await sheet('', { parts: outside('../../../etc/passwd') }))).reason).toBe('broken')
  })

  it('that names sheets which are not there is refused as broken', async () => {
    const twice = await xlsxOf({ sheets: [{ name: 'a', rows: '' }] }, (entries) =>
      entries.filter(({ name }) => !name.includes('s1')),
    )
    expect((await refusalOf(twice)).reason).toBe('broken')
  })
})
