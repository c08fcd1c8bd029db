import { describe, expect, it } from 'vitest'
import { proposedTyper } from '../../../test/worker/csv-load'
import { createCsvReader } from '../csv/csv-reader'
import { isoFromDay } from '../../shared/dates'
import type { FileInspection } from '../../shared/data-sources/files'
import { formatIsoDateTime, parseDate } from '../../shared/values/parse-date'
import { inspectCsv } from './inspect-csv'

/** What one column of a file is read as, with nothing corrected: dates as ISO, other values as they are stored. */
function readColumn(values: readonly string[], label = 'Value'): FileInspection & { type: string; values: unknown[] } {
  const bytes = new TextEncoder().encode(`Key\t${label}\n${values.map((value, n) => `A${n}\t${value}\n`).join('')}`)
  const found = inspectCsv({ fileName: 'a.tsv', size: bytes.length, head: bytes })
  const typer = proposedTyper(found)
  const [, column] = found.columns
  const read: unknown[] = []
  const onRecord = (cells: string[], line: number): void => {
    const row = typer.parse(cells, line)
    const value = row.ok ? row.values[1] : 'rejected'
    if (typeof value !== 'number') read.push(value)
    else if (column?.type === 'date') read.push(isoFromDay(value))
    else if (column?.type === 'datetime') read.push(formatIsoDateTime(value, column.zoned === true))
    else read.push(value / 10 ** (column?.scale ?? 0))
  }
  const reader = createCsvReader({ settings: found.settings, startByte: 0, startLine: 1, onRecord })
  reader.push(bytes)
  reader.end()
  return { ...found, type: column?.type ?? '', values: read }
}
const codes = ({ warnings }: FileInspection): string[] => warnings.map(({ code }) => code)

describe('dates in words', () => {
  it.each([
    [
      'German',
      ['15. Januar 2024', '1. März 2024', '2. Mai 2024', '5. Dez. 2024'],
      ['2024-01-15', '2024-03-01', '2024-05-02', '2024-12-05'],
    ],
    [
      'French',
      ['1er mars 2024', '2 août 2024', '15 janv. 2024', '5 décembre 2024'],
      ['2024-03-01', '2024-08-02', '2024-01-15', '2024-12-05'],
    ],
    [
      'Swedish',
      ['måndag den 15 januari 2024', 'den 3 februari 2024', '1 maj 2024'],
      ['2024-01-15', '2024-02-03', '2024-05-01'],
    ],
    ['Danish and Norwegian', ['15. maj 2024', '3. desember 2024'], ['2024-05-15', '2024-12-03']],
    ['Dutch', ['3 maart 2024', '2 mei 2024'], ['2024-03-03', '2024-05-02']],
    ['Finnish', ['15. tammikuuta 2024', '3. helmikuuta 2024'], ['2024-01-15', '2024-02-03']],
    ['Spanish', ['15 de enero de 2024', '3 de febrero de 2024'], ['2024-01-15', '2024-02-03']],
    [
      'English',
      ['Monday, January 15, 2024', 'Mar 5, 2024', '3rd March 2024', "3 Feb '24"],
      ['2024-01-15', '2024-03-05', '2024-03-03', '2024-02-03'],
    ],
  ])('are read: %s', (_, written, dates) => {
    expect(readColumn(written)).toMatchObject({ type: 'date', values: dates, warnings: [] })
  })

  it('are no dates where the words are others', () => {
    expect(readColumn(['15 boxes 2024', '3 rooms 2024']).type).toBe('text')
    expect(readColumn(['Model 15 2024', 'Sofa 3 2024']).type).toBe('text')
  })

  it.each([
    ['Monday', ['Mon 15 Jan 2024', 'Thurs. 2024-01-18', 'Wednesday 17/01/2024'], ['15', '18', '17']],
    ['måndag', ['fredagen den 19 januari 2024', 'tors 18 jan 2024', 'lør. 20 januar 2024'], ['19', '18', '20']],
    ['Montag', ['Mo, 15.01.2024', 'Di. 16.01.2024', 'Donnerstag, 18. Januar 2024'], ['15', '16', '18']],
    ['keskiviikko', ['keskiviikkona 17. tammikuuta 2024', 'to. 18.1.2024', 'perjantai 19.1.2024'], ['17', '18', '19']],
  ])('are read behind the day of the week: %s', (_, written, days) => {
    expect(readColumn(written)).toMatchObject({ type: 'date', values: days.map((day) => `2024-01-${day}`) })
  })

  it.each([
    'Sales 2024-01-31',
    'Sold 15.01.2024',
    'Dose 1/2/2024',
    'Miete 01.02.2024',
    'Don 2024-01-31',
    'so 1.2.2024',
  ])('are no dates behind a word that begins as a day of the week: %s', (text) => {
    expect(parseDate(text, 'dmy')).toBeNull()
    expect(readColumn([text, text.replace('2024', '2023')], 'Note').type).toBe('text')
  })
})

describe('moments', () => {
  it.each([
    [
      'zones by name',
      ['2024-01-15 10:00:00 CET', '2024-07-15 10:00:00 CEST', '2024-01-15 10:00:00 EST'],
      ['2024-01-15T09:00:00Z', '2024-07-15T08:00:00Z', '2024-01-15T15:00:00Z'],
    ],
    ['zones of a place', ['2024-01-15T10:00:00+01:00[Europe/Stockholm]'], ['2024-01-15T09:00:00Z']],
    [
      'mail',
      ['Mon, 15 Jan 2024 10:00:00 GMT', 'Tue, 5 Mar 2024 10:00:00 +0100'],
      ['2024-01-15T10:00:00Z', '2024-03-05T09:00:00Z'],
    ],
    ['points between', ['15.01.2024 10.30', '16.01.2024 11.45'], ['2024-01-15T10:30:00', '2024-01-16T11:45:00']],
    ['the word kl.', ['2024-01-15 kl. 10:30', '2024-01-16 kl 11.45'], ['2024-01-15T10:30:00', '2024-01-16T11:45:00']],
    ['nothing between', ['20240115T103000', '20240116 114500'], ['2024-01-15T10:30:00', '2024-01-16T11:45:00']],
  ])('are read with %s', (_, written, moments) => {
    expect(readColumn(written)).toMatchObject({ type: 'datetime', values: moments })
  })

  it('are read from fourteen digits below a name of time', () => {
    expect(readColumn(['20240115103000', '20240116114500'], 'Datum').values).toEqual([
      '2024-01-15T10:30:00',
      '2024-01-16T11:45:00',
    ])
    expect(readColumn(['20240115103000', '20240116114500'], 'Batch').type).toBe('integer')
  })
})

describe('the order of a date', () => {
  it('is year first where two-digit years come first and their dates lie together', () => {
    const found = readColumn(['24-01-15', '24-02-03', '24-03-30'])
    expect(found).toMatchObject({ values: ['2024-01-15', '2024-02-03', '2024-03-30'], warnings: [] })
    expect(readColumn(['15/01/24', '03/02/24', '30/03/24'])).toMatchObject({
      values: ['2024-01-15', '2024-02-03', '2024-03-30'],
      warnings: [],
    })
  })

  it('is asked, and says why, where only how close its dates lie speaks for one', () => {
    const found = readColumn(Array.from({ length: 12 }, (_, n) => `${String(n + 1).padStart(2, '0')}/02/2024`))
    expect(found.values.at(-1)).toBe('2024-02-12')
    expect(found.warnings[0]?.message).toBe(
      '“Value” could be day first or month first. Read day first, as its dates then lie closest together. Change it if wrong.',
    )
  })
})

describe('day numbers of a spreadsheet', () => {
  it('are dates below a name that says so, and said to be', () => {
    const found = readColumn(['45292', '45293', '2024-02-01'], 'Fakturadatum')
    expect(found).toMatchObject({ type: 'date', values: ['2024-01-01', '2024-01-02', '2024-02-01'] })
    expect(codes(found)).toEqual(['ambiguous_dates'])
  })

  it.each(
    'Date|Order date|order_date|OrderDate|invoicedate|Date of sale|Invoice date (UTC)|Förfallodatum|Fakturadato|Fecha factura|Leveransdag|Förfallodag|Betalningsdagen'.split(
      '|',
    ),
  )('are dates below “%s”', (label) => expect(readColumn(['45292', '45293'], label).type).toBe('date'))

  it.each(
    'Year to date|Revenue to date|YearToDate|Sales per date|Försäljning till datum|Salg til dato|Update|Candidate|Mandate|Candidato|Estimated dates|Dag|Försäljning per dag|Omsättning vardag|Fakturadagar|Till betalningsdag'.split(
      '|',
    ),
  )('are numbers below “%s”', (label) => expect(readColumn(['45292', '45293'], label).type).toBe('integer'))

  it('are none amid written dates: each is told before the load and costs its row', () => {
    const days = Array.from({ length: 400 }, (_, n) => `2024-02-${String(1 + (n % 28)).padStart(2, '0')}`)
    const found = readColumn([...days, '45292'], 'Booked')
    expect(found.type).toBe('date')
    expect(found.values).toEqual([...days, 'rejected'])
    expect(codes(found)).toEqual(['unfit_values'])
  })

  it('are numbers below any other name', () => {
    expect(readColumn(['45292', '45293'], 'Amount').type).toBe('integer')
    expect(readColumn(['45292', '45293'], 'Updates').type).toBe('integer')
    expect(readColumn(['45292', '120'], 'Date').type).toBe('integer')
  })
})

describe('what stands where a figure or date is not there', () => {
  it.each([
    ['an error of a spreadsheet', ['1.25', '#DIV/0!', '3.50'], [1.25, null, 3.5]],
    ['an error of a Swedish one', ['1,25', '#SAKNAS!', '3,50'], [1.25, null, 3.5]],
    ['points of a statistical office', ['1.25', '..', '3.50', '..'], [1.25, null, 3.5, null]],
    ['a word of a program', ['1.25', 'NaN', '3.50', 'None'], [1.25, null, 3.5, null]],
    ['a day that no calendar has', ['2024-01-15', '0000-00-00', '2024-01-16'], ['2024-01-15', null, '2024-01-16']],
  ])('is empty: %s', (_, written, values) => {
    const found = readColumn(written)
    expect(found.values).toEqual(values)
    expect(found.warnings).toMatchObject([{ code: 'empty_marker' }])
  })

  it('is a text among texts', () => {
    expect(readColumn(['Missing', 'Damaged', 'None']).values).toEqual(['Missing', 'Damaged', 'None'])
  })
})

describe('amounts', () => {
  it.each([
    ['a dash of accountants for nothing', ['$ 1,234.50', '$ (12.00)', '$ -'], [1234.5, -12, 0]],
    ['lakh and crore', ['12,34,567.00', '1,00,000.00', '99.50'], [1_234_567, 100_000, 99.5]],
  ])('are read with %s', (_, written, values) => {
    expect(readColumn(written)).toMatchObject({ type: 'number', values })
  })
})

describe('yes and no', () => {
  it.each([
    ['Ja', 'Nein'],
    ['J', 'N'],
    ['på', 'av'],
    ['oui', 'non'],
    ['WAHR', 'FALSCH'],
    ['kyllä', 'ei'],
  ])('are %s and %s', (yes, no) => {
    expect(readColumn([yes, no, yes])).toMatchObject({ type: 'boolean', values: [1, 0, 1] })
  })
})

describe('dates of six digits', () => {
  it('are read year first below a name that says date, and told', () => {
    const found = readColumn(['240131', '240301', '', '991231'], 'Fakt.datum')
    expect(found).toMatchObject({ type: 'date', values: ['2024-01-31', '2024-03-01', null, '1999-12-31'] })
    expect(codes(found)).toEqual(['ambiguous_dates'])
    expect(found.warnings[0]?.message).toContain('yymmdd')
  })

  it.each([
    ['a name that says nothing', ['240131', '240301'], 'Kod'],
    ['days first', ['310124', '010324', '150224'], 'Datum'],
    ['either, closer together with days first', ['010224', '020224', '030224'], 'Datum'],
    ['months', ['201011', '201012', '201101'], 'Datum'],
    ['no such day', ['249931', '240301'], 'Datum'],
    ['births, of which century nobody knows', ['450312', '651224', '880101'], 'Födelsedatum'],
  ])('are none of %s', (_what, values, label) => {
    expect(readColumn(values, label).type).not.toBe('date')
  })
})

it('reads words for a day that is not known yet as none', () => {
  const found = readColumn(['2024-01-31', 'Reserverat', '2024-01-30'], 'Bokföringsdag')
  expect(found).toMatchObject({ type: 'date', values: ['2024-01-31', null, '2024-01-30'] })
  expect(codes(found)).toEqual(['empty_marker'])
})
