import { describe, expect, it } from 'vitest'
import { inspectCsv } from '../inference/inspect-csv'
import { createCsvReader } from './csv-reader'
import { createRowParser } from '../values/row-parser'
import type { FileInspection } from '../../shared/data-sources/files'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
interface LoadedFile extends FileInspection {
  loaded: (string | number | null)[][]
  rejected: number[]
}

/** What the loader would make of a file, with nothing corrected. */
function load(text: string, given: Parameters<typeof inspectCsv>[1] = {}): LoadedFile {
  const bytes = utf8(text)
  const found = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes }, given)
  const typer = createRowParser(
    found.columns.map(({ index, label, type, scale, zoned, decimalMark, dateOrder }) => ({
      column: {
        ...{ key: `c${index}` as const, label, type },
        ...(scale === undefined ? {} : { scale }),
        ...(zoned === undefined ? {} : { zoned }),
      },
      file: { index, decimalMark, dateOrder },
    })),
    { ...found.settings, fileWidth: found.columns.length },
  )
  const loaded: LoadedFile['loaded'] = []
  const rejected: number[] = []
  const onRecord = (cells: string[], line: number): void => {
    const row = typer.parse(cells, line)
    if (row.ok) loaded.push(row.values.map((value) => (Array.isArray(value) ? value[0] : value)))
    else rejected.push(line)
  }
  const reader = createCsvReader({ settings: found.settings, startByte: 0, startLine: 1, onRecord })
  reader.push(bytes)
  reader.end()
  return { ...found, loaded, rejected }
}
const types = ({ columns }: FileInspection): string[] => columns.map(({ type }) => type)
const column = ({ loaded }: LoadedFile, index: number): unknown[] => loaded.map((row) => row[index])
const sales = (rows: number): string =>
  Array.from({ length: rows }, (_, i) => `2025-01-${String(1 + (i % 28)).padStart(2, '0')},Alfa,${i},1.50`).join('\n')

describe('what stands around a table', () => {
  it('is a title, also when it is padded with separators to the full width', () => {
    for (const title of ['Sales report\nPrinted 2025-02-01\n\n', 'Sales report,,,\nPrinted 2025,,,\n,,,\n']) {
      const found = load(`${title}Date,Customer,Quantity,Price\n${sales(20)}\n`)
      expect(found.settings.skipLines).toBe(3)
      expect(types(found)).toEqual(['date', 'text', 'integer', 'number'])
      expect(found.loaded).toHaveLength(20)
    }
  })

  it('is a second line of names above, which says less', () => {
    const found = load(`Sales,,Order,\nDate,Customer,Quantity,Price\n${sales(20)}\n`)
    expect(found.columns.map(({ label }) => label)).toEqual(['Date', 'Customer', 'Quantity', 'Price'])
  })

  it('is a title whatever separators it holds, once a title stands above it and names below', () => {
    const found = load(`Notes from the till\nPrinted, by Anna\nnumber,text,day\n1,a,2024-05-01\n2,b,2024-05-02\n`)
    expect(found.settings.skipLines).toBe(2)
    expect(types(found)).toEqual(['integer', 'text', 'date'])
    // Names one cell short are names, not a title.
    expect(load('a,b\nx,1,2\ny,3,4\n').columns[0]?.label).toBe('a')
  })

  it('is a title above rows without names, however many lines it has', () => {
    const found = load(
      `some text\ndescription\n\nmore of it\nand more\n${'John,Doe,08075\nJack,May,09119\nBo,Ek,08076\nAnn,Å,08077\nLi,Wu,08078\n'}`,
    )
    expect([found.settings.skipLines, found.settings.header, found.loaded.length]).toEqual([5, false, 5])
  })

  it('is a comment behind #, also where comments are most lines and hold separators', () => {
    const found = load(`# A file of figures\na;b\n${'1;3\n# Left out for now\n# 20;7\n'.repeat(20)}`)
    expect([found.columns.map(({ label }) => label), found.loaded.length]).toEqual([['a', 'b'], 20])
    expect(found.warnings.map(({ code }) => code)).toEqual(['comment_lines'])
    expect(load('name;b\n#1;3\n#2;4\nwhat is this\n').loaded).toHaveLength(3)
  })

  it('is a title above two columns as well, where figures prove the names below it', () => {
    const rows = Array.from({ length: 12 }, (_, i) => `Alfa ${i};${i},50`).join('\n')
    const found = load(`Försäljning;\nUtskriven 2025;\nKund;Belopp\n${rows}\n`)
    expect(found.settings.skipLines).toBe(2)
    expect(found.columns.map(({ label }) => label)).toEqual(['Kund', 'Belopp'])
    expect(load('Namn;\nAnna;Lund\nBo;5\nCilla;Umeå\n').settings.skipLines).toBe(0)
  })

  it('is a note above, also with as many separators as the table has', () => {
    const rows = Array.from({ length: 12 }, (_, i) => `2025-01-${10 + i},Alfa,${i}`).join('\n')
    const found = load(`Exported by Anna, all shops, without returns\nDate,Customer,Quantity\n${rows}\n`)
    expect(found.settings.skipLines).toBe(1)
    expect(types(found)).toEqual(['date', 'text', 'integer'])
    expect(load(`Order date,Name of customer,Quantity\n${rows}\n`).settings.skipLines).toBe(0)
  })

  it('is never taken for a title when only texts stand below', () => {
    expect(load('Name,,,\nAnna,Lund,Ek,x\nBo,Malmö,Al,y\n').settings.skipLines).toBe(0)
  })

  it('is a note below, which is rejected with its line and changes no type', () => {
    const found = load(`Date,Customer,Quantity,Price\n${sales(20)}\n\nSource: the shop\n`)
    expect(types(found)).toEqual(['date', 'text', 'integer', 'number'])
    expect(found.rejected).toEqual([23])
    expect(found.warnings.map(({ code, line }) => [code, line])).toEqual([['ragged_rows', 23]])
  })
})

describe('signs around cells', () => {
  it('are quotes also behind a blank, where all of them stand so', () => {
    const found = load('Name, Note, Value\nA, "one, two", 1\nB, "three, four", 2\n')
    expect(found.settings.skipInitialSpace).toBe(true)
    expect(column(found, 1)).toEqual(['one, two', 'three, four'])
    expect(load('Name,Note,Code\nA, "one","x"\n').settings.skipInitialSpace).toBeUndefined()
  })

  it('leave out the blank after a separator alike, whether a cell is quoted or not', () => {
    const found = load('Name, Place, Value\n"Anna", "Lund", 1\nBo, Umeå, 2\nCi, "Ås, by", 3\n')
    expect(found.loaded).toEqual([
      ['Anna', 'Lund', 1],
      ['Bo', 'Umeå', 2],
      ['Ci', 'Ås, by', 3],
    ])
    expect(load('Name, Place\nAnna, Lund\nBo, Umeå\n').loaded[0]).toEqual(['Anna', 'Lund'])
    expect(load('Name,Note\nAnna, by\nBo,x\n').loaded[0]).toEqual(['Anna', ' by'])
  })

  it('close as apostrophes only before a separator or the end of a line', () => {
    const rows = Array.from({ length: 5 }, (_, i) => `'Anna',${i}`).join('\n')
    const found = load(`'Name','Value'\n'O'Brien, it's him',8\n'it''s',9\n${rows}\n`)
    expect(column(found, 0).slice(0, 2)).toEqual(["O'Brien, it's him", "it's"])
  })

  it('may be apostrophes while texts hold quotation marks', () => {
    const rows = Array.from({ length: 5 }, (_, i) => `'A "quoted" one, and more',${i}`)
    expect(column(load(`'Name','Value'\n${rows.join('\n')}\n`), 0)[0]).toBe('A "quoted" one, and more')
  })

  it('are none where they are part of texts, so that none swallows the lines after it', () => {
    const found = load('sku\tname\tprice\n1\t"Deluxe bag\t5\n2\t19" rack\t6\n3\tplain\t7\n4\t"Little" box\t8\n')
    expect(found.settings.quote).toBe('')
    expect(column(found, 1)).toEqual(['"Deluxe bag', '19" rack', 'plain', '"Little" box'])
    const quoted = load('sku;name;price\n1;"two\nlines";5\n2;"19"" rack";6\n')
    expect([quoted.settings.quote, column(quoted, 1)]).toEqual(['"', ['two\nlines', '19" rack']])
  })

  it('may come in pieces of any length', () => {
    const bytes = utf8('a, b\n1,   "x, y"\n2, "z"\n  , \n')
    const all: string[][] = []
    const reader = createCsvReader({
      settings: {
        ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: false },
        skipInitialSpace: true,
      },
      startByte: 0,
      startLine: 1,
      onRecord: (cells) => all.push(cells),
    })
    for (const byte of bytes) reader.push(Uint8Array.of(byte))
    reader.end()
    expect(all).toEqual([
      ['a', 'b'],
      ['1', 'x, y'],
      ['2', 'z'],
    ])
  })
})

describe('figures as people write them', () => {
  it('are negative in brackets, behind a minus or before it, with a currency inside or outside', () => {
    const found = load(
      'Konto;Belopp\na;(1 234,50) kr\nb;-12,00 kr\nc;12,00- kr\nd;\u221212,00 kr\ne;(kr 5,00)\nf;7,00 kr\n',
    )
    expect(found.columns[1]).toMatchObject({ type: 'number', scale: 2, format: { style: 'currency', currency: 'SEK' } })
    expect(column(found, 1)).toEqual([-123_450, -1200, -1200, -1200, -500, 700])
  })

  it('are never read with two signs', () => {
    expect(types(load('a;b\nx;(-5,00)\ny;--5,00\nz;-(5,00)\n'))).toEqual(['text', 'text'])
  })

  it('keep their thousands apart by blanks, points, commas or apostrophes, by column', () => {
    const found = load("a;b;c\n1\u00a0234,50;1'234.50;1.234\n12\u202f345,00;12'345.00;12.345.678\n")
    expect(found.loaded).toEqual([
      [123_450, 123_450, 1234],
      [1_234_500, 1_234_500, 12_345_678],
    ])
  })

  it('are fractions with a percent sign', () => {
    const found = load('a;b\nx;12,5 %\ny;7%\n')
    expect(found.columns[1]).toMatchObject({ type: 'number', format: { style: 'percent' } })
    expect(column(found, 1)).toEqual([125, 70])
  })

  it('stay texts where a zero stands in front or they are too long for a number', () => {
    const found = load('Kundnr;Kort\n00123;12345678901234567890\n00456;12345678901234567891\n')
    expect(found.loaded[0]).toEqual(['00123', '12345678901234567890'])
  })
})

describe('dates as people write them', () => {
  it('are read in the order that each column proves', () => {
    const found = load(
      'a,b,c,d\n31/12/2024,12/31/2024,2024-12-31,31 Dec 2024\n01/02/2025,02/01/2025,2025-02-01,1 feb 2025\n',
    )
    expect(types(found)).toEqual(['date', 'date', 'date', 'date'])
    for (const row of found.loaded) expect(new Set(row).size).toBe(1)
  })

  it('are read alike where nothing proves the order, and said', () => {
    const found = load('a;b\n01/02/2025;1,5\n03/04/2025;2,5\n')
    expect(found.columns[0]?.dateOrder).toBe('dmy')
    expect(found.warnings.map(({ code }) => code)).toEqual(['ambiguous_dates'])
  })
})

describe('lines that no separator divides evenly', () => {
  it('are no single number where the heading has one cell more or less than the only row', () => {
    const found = load('a,b,c\n1,2\n')
    expect([found.settings.delimiter, found.columns.length, found.loaded]).toEqual([',', 3, [[1, 2, null]]])
    expect(found.warnings.map(({ code }) => code)).toEqual(['ragged_rows'])
    expect(load('a;b\n1,5;2;3\n').loaded).toEqual([[15, 2, 3]])
  })

  it('are divided by the separator that most of them hold, never by one that the file does not have', () => {
    const found = load('id;name;x;y\n1;a\n2;b;c\n3\n4;d;e;f\n5;g\n')
    expect([found.settings.delimiter, found.columns.length]).toEqual([';', 4])
    expect(load('note\n"one, two"\n84,rest\n"three, four"\n').settings.delimiter).toBe(',')
  })

  it('are one column of figures with their thousands apart, or of dates quoted for their comma', () => {
    expect(column(load('100,000.00\n300,000.20\n300,000,000.40\n50\n'), 0)).toEqual([
      10_000_000, 30_000_020, 30_000_000_040, 5_000,
    ])
    const dates = load('"Dec 8, 2022"\n"Sep 26, 2022"\n"Aug 31, 2022"\n')
    expect([types(dates), dates.loaded.length]).toEqual([['date'], 3])
  })

  it('are divided also where only one of the columns has a name', () => {
    const found = load('a,,,\n123,TEST,,value1\n345,TEST,,value2\n')
    expect([found.columns.length, found.loaded[0]]).toEqual([4, [123, 'TEST', null, 'value1']])
    // Another separator that finds several names comes first.
    expect(load(`text|number\n${'foo|123,000\n'.repeat(9)}`).columns.map(({ label }) => label)).toEqual([
      'text',
      'number',
    ])
  })

  it('are one column when they are sentences, and that is said', () => {
    const prose = 'I liked it, but it was late\nFine\nGood, thanks to you all, and again\nNo, not at all for me\n'
    const found = load(`Comment\n${prose}`)
    expect(found.loaded).toHaveLength(4)
    expect(found.loaded[0]).toEqual(['I liked it, but it was late'])
    expect(found.warnings.map(({ code }) => code)).toEqual(['single_column'])
    expect(load('Name\nAnna\nBo\n').warnings).toEqual([])
  })
})

describe('names of columns over several lines', () => {
  const labels = ({ columns }: FileInspection): string[] => columns.map(({ label }) => label)
  const rows = Array.from({ length: 10 }, (_, i) => `Alfa ${i};${i};${i + 1};${i + 2};${i + 3}`).join('\n')
  const years = ['Region', '2023 Budget', '2023 Utfall', '2024 Budget', '2024 Utfall']

  it('are joined where groups of columns have the same names', () => {
    for (const upper of [';2023;;2024;', ';2023;2023;2024;2024'])
      for (const title of ['', 'Rapport\n\n']) {
        const found = load(`${title}${upper}\nRegion;Budget;Utfall;Budget;Utfall\n${rows}\n`)
        expect(labels(found)).toEqual(years)
        expect([found.settings.skipLines, found.settings.headerLines]).toEqual([title === '' ? 0 : 2, 2])
        expect([found.loaded.length, found.rows.count, found.rejected]).toEqual([10, 10, []])
      }
  })

  it('take the units below them', () => {
    const found = load(`Vara;Belopp;Vikt\n;SEK;(kg)\n${'a;1,5;2\n'.repeat(5)}`)
    expect(labels(found)).toEqual(['Vara', 'Belopp (SEK)', 'Vikt (kg)'])
    expect(found.columns[1]).toMatchObject({ type: 'number', format: { style: 'currency', currency: 'SEK' } })
    expect(found.loaded).toHaveLength(5)
    const three = load(`;2023;;2024;\nRegion;Budget;Utfall;Budget;Utfall\n;tkr;tkr;tkr;tkr\n${rows}\n`)
    expect([labels(three)[1], three.settings.headerLines, three.loaded.length]).toEqual(['2023 Budget (tkr)', 3, 10])
  })

  it('take no value below the only name for its unit, unless it stands in brackets', () => {
    expect(load('Legal code\nT\n0\n').loaded).toHaveLength(2)
    expect(load('T\nT\nT\nT\nx\n').loaded).toHaveLength(5)
    expect(labels(load('Weight\n(kg)\n1\n2\n'))).toEqual(['Weight (kg)'])
  })

  it('are not joined over a row that is left out', () => {
    for (const between of ['Total;9;9', 'Vara;Belopp;Vikt']) {
      const found = load(`Vara;Belopp;Vikt\n${between}\n;SEK;(kg)\n${'a;1,5;2\n'.repeat(5)}`, { leaveOutTotals: true })
      expect([labels(found), found.settings.headerLines]).toEqual([['Vara', 'Belopp', 'Vikt'], undefined])
      expect([found.rows.count, found.loaded.length + found.rejected.length]).toEqual([6, 6])
    }
  })

  it('stand on one line where rows only look like them, or the person says where they stand', () => {
    expect(load('Kund;Enhet\na;st\nb;kg\nc;st\n').settings.headerLines).toBeUndefined()
    expect(load('Land;Valuta\nSE;SEK\nNO;NOK\n').settings.headerLines).toBeUndefined()
    const bytes = utf8(`;2023;;2024;\nRegion;Budget;Utfall;Budget;Utfall\n${rows}\n`)
    const given = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes }, { skipLines: 1 })
    expect(labels(given)).toEqual(['Region', 'Budget', 'Utfall', 'Budget (2)', 'Utfall (2)'])
  })
})
