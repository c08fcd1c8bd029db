import { describe, expect, it } from 'vitest'
import { odsOf, onlyTable, openWorkbook, refusalOf } from '../../../test/worker/workbooks'
import { openFile } from '../../../test/suites/open-file'
import { zipOf } from '../../../test/worker/zip'
import { odsReader } from './ods-reader'

const sheet = (rows: string, attributes = 'table:name="Data"'): string =>
  `<table:table ${attributes}>${rows}</table:table>`
const row = (cells: string, attributes = ''): string => `<table:table-row ${attributes}>${cells}</table:table-row>`
const text = (value: string, attributes = ''): string =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${value}</text:p></table:table-cell>`
const value = (type: string, attributes: string): string =>
  `<table:table-cell office:value-type="${type}" ${attributes}><text:p>shown</text:p></table:table-cell>`
const codes = ({ warnings }: { warnings: { code: string }[] }): string[] => warnings.map(({ code }) => code)

describe('an OpenDocument sheet', () => {
  it('gives cells of every kind as text', async () => {
    const { rows, hints } = await onlyTable(
      await odsOf(
        sheet(
          row(
            value('float', 'office:value="1.50"') +
              value('percentage', 'office:value="0.25"') +
              value('currency', 'office:value="9.5" office:currency="SEK"') +
              value('date', 'office:date-value="2026-01-31"') +
              value('date', 'office:date-value="2026-01-31T08:30:00"') +
              value('time', 'office:time-value="PT07H05M03S"') +
              value('boolean', 'office:boolean-value="true"') +
              text('007'),
          ),
        ),
      ),
    )
    expect(rows).toEqual([['1.5', '0.25', '9.5', '2026-01-31', '2026-01-31T08:30:00', '07:05:03', 'true', '007']])
    expect(hints).toEqual([
      { index: 1, format: { style: 'percent' } },
      { index: 2, format: { style: 'currency', currency: 'SEK' } },
      { index: 7, type: 'text' },
    ])
  })

  it('gives the text of a cell with its lines and spaces, without the comment on it', async () => {
    const cell =
      '<table:table-cell office:value-type="string"><office:annotation><dc:date>x</dc:date><text:p>comment</text:p></office:annotation>' +
      '<text:p>one<text:s text:c="3"/>\n  <text:span>two</text:span><text:tab/>&amp;</text:p><text:p>three</text:p></table:table-cell>'
    expect((await onlyTable(await odsOf(sheet(row(cell))))).rows).toEqual([['one    two\t&\nthree']])
  })

  it('counts repeated rows and cells, and passes over empty ones however many', async () => {
    const { rows, lines } = await onlyTable(
      await odsOf(
        sheet(
          row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="2"') +
            row(
              `<table:table-cell/>${text('x', 'table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="16381"/>`,
              'table:number-rows-repeated="2"',
            ) +
            row('<table:table-cell/>', 'table:number-rows-repeated="1048572"'),
        ),
      ),
    )
    expect(lines).toEqual([3, 4])
    expect(rows).toEqual([
      ['x', 'x'],
      ['x', 'x'],
    ])
  })

  it('tells durations from times of day by the format, also that of the column', async () => {
    const styles =
      '<number:time-style style:name="N1" number:truncate-on-overflow="false"/><style:style style:name="ce1" style:data-style-name="N1"/>'
    const { rows, warnings } = await onlyTable(
      await odsOf(
        sheet(
          `<table:table-column/><table:table-column table:default-cell-style-name="ce1"/>${row(value('time', 'office:time-value="PT7H30M"').repeat(2) + value('time', 'office:time-value="PT30H" table:style-name="ce1"'))}`,
        ),
        styles,
      ),
    )
    expect(rows).toEqual([['07:30:00', '7.5', '30']])
    expect(codes({ warnings })).toEqual(['durations'])
  })

  it('leaves errors, covered cells and formulas without a result empty', async () => {
    const found = await onlyTable(
      await odsOf(
        sheet(
          row(
            `<table:table-cell table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>` +
              `<table:table-cell table:formula="of:=1"/>` +
              text('merged', 'table:number-columns-spanned="2"') +
              '<table:covered-table-cell office:value-type="string"><text:p>under</text:p></table:covered-table-cell>' +
              text('#N/A'),
          ),
        ),
      ),
    )
    expect(found.rows).toEqual([['merged', null, '#N/A']])
    expect(codes(found)).toEqual(['error_cells', 'formulas_without_value', 'merged_cells'])
    expect(found.warnings[0]?.message).toContain('(#DIV/0!), first A1')
  })
})

describe('an OpenDocument workbook', () => {
  it('gives a table for every sheet with values; hidden ones are optional; tables within cells are no sheets', async () => {
    const { tables, warnings } = await openWorkbook(
      await odsOf(
        `<table:tracked-changes>${sheet(row(text('old')))}</table:tracked-changes>` +
          sheet(
            row(`<table:table-cell>${sheet(row(text('inner')))}</table:table-cell>${text('a')}`),
            'table:name="One"',
          ) +
          sheet(row(text('b')), 'table:name="Two" table:style-name="ta2"') +
          sheet('', 'table:name="Three"'),
        '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>',
      ),
    )
    expect(tables.map(({ name, optional, rows }) => [name, optional, rows])).toEqual([
      ['One', undefined, [['a']]],
      ['Two', true, [['b']]],
    ])
    expect(codes({ warnings })).toEqual(['skipped_sheet'])
  })

  it('that is protected by a password is refused with what to do', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    const refusal = await refusalOf(await odsOf('', '', [{ name: 'META-INF/manifest.xml', bytes: manifest }]))
    expect(refusal.reason).toBe('encrypted')
    expect(refusal.message).toContain('Remove the password')
  })

  it.each([
    ['cells', row(text('x', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"')],
    ['rows', row(text('x'), 'table:number-rows-repeated="1048576"').repeat(3)],
  ])('is refused as unsafe when it repeats %s without end', async (_, rows) => {
    expect((await refusalOf(await odsOf(sheet(rows)))).reason).toBe('unsafe')
  })

  it('is refused when it is a document of another kind', async () => {
    const text = await zipOf([
      { name: 'content.xml', bytes: '<office:document-content><office:text/></office:document-content>' },
    ])
    await expect(openFile(odsReader, { name: 'a.odt', bytes: text })).rejects.toThrow('not a workbook')
  })

  it('is refused as unsafe with a DOCTYPE, as broken when cut off', async () => {
    expect((await refusalOf(await odsOf('<!DOCTYPE a>'))).reason).toBe('unsafe')
    expect((await refusalOf(await odsOf('<table:table>'))).reason).toBe('broken')
  })
})

it('reads no more than 100 000 styles of any kind', async () => {
  const style = (n: number): string => `<number:time-style style:name="N${n}" number:truncate-on-overflow="false"/>`
  const styles = Array.from({ length: 100_001 }, (_, n) => style(n)).join('')
  expect((await refusalOf(await odsOf('', styles))).code).toBe('too_large')
})
