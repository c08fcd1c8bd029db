import { describe, expect, it } from 'vitest'
import { inspectCsv } from '../inference/inspect-csv'
import { findStackedTables, LINES_ABOVE_MAX, STACKED_MAX_BYTES } from './stacked-tables'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const ORDERS = 'id,customer,amount\n1,Anna,10.5\n2,Bo,20\n3,Cia,7\n'
const STOCK = 'sku,price,stock,colour\nA1,100,5,red\nB2,50,3,blue\n'
const PEOPLE = 'name,city\nAnna,Lund\nBo,Malmö\n'
const places = (text: string) =>
  findStackedTables(utf8(text))?.map(({ name, firstLine, lastLine }) => [name, firstLine, lastLine]) ?? null

describe('tables below each other in a text', () => {
  it('are those with names of their own, by the line above them', () => {
    expect(places(`${ORDERS}\n\n${STOCK}`)).toEqual([
      [null, 1, 4],
      [null, 7, 9],
    ])
    expect(places(`Orders\n${ORDERS}\nCustomers\n\n${PEOPLE},,\nStock of the day,,,\n${STOCK}`)).toEqual([
      ['Orders', 2, 5],
      ['Customers', 9, 11],
      ['Stock of the day', 14, 16],
    ])
  })

  it('keep the numbers of their lines, and are read by their own signs', () => {
    const [, second] = findStackedTables(utf8(`${ORDERS}\n\nvara;pris\nsoffa;1,50\nlampa;"2\n,25"\n`)) ?? []
    expect(second).toMatchObject({ firstLine: 7 })
    const head = utf8(second?.text() ?? '')
    const found = inspectCsv({ fileName: 'a', size: head.length, head })
    expect(found.settings).toMatchObject({ delimiter: ';', skipLines: 0 })
    expect(found.columns.map(({ label }) => label)).toEqual(['vara', 'pris'])
    expect(found.rows.count).toBe(2)
  })

  it('take with them what has no names: rows after an empty line, sums and notes', () => {
    const text = `${ORDERS}\n4,Dan,8\n\nTotal,,45.5\n\n${STOCK}\nAll prices in SEK\n\nC3,9,1,green\nD4,8,2,grey\n`
    expect(places(text)).toEqual([
      [null, 1, 8],
      [null, 10, 17],
    ])
  })

  it('leave no line between them that names none', () => {
    expect(places(`${ORDERS}\nPaid in January\n\nStock\n\n${STOCK}\nC3\n`)).toEqual([
      [null, 1, 6],
      ['Stock', 10, 14],
    ])
  })

  it('may stand below a title of several lines', () => {
    expect(places(`Shop report\nJanuary\n\n${ORDERS}\n${STOCK}`)).toEqual([
      [null, 4, 7],
      [null, 9, 11],
    ])
  })

  it.each([
    ['rows above the first names', `1,2,3\n4,5,6\n\n${ORDERS}\n${STOCK}`],
    ['rows with empty lines between them', 'id,name\n1,a\n\n2,b\n\n3,c\n'],
    ['the same names again', `${ORDERS}\n${ORDERS}`],
    ['a title above one table', `Report\n\nof January\n\n${ORDERS}`],
    ['notes below it', `${ORDERS}\nSource: ERP, January\nPrinted 2024-01-31\n`],
    ['text rows that could be names', 'name,city\nAnna,Lund\n\nBo,Malmö\n'],
    ['an empty line inside a quoted cell', 'id,text\n1,"a\n\nid,price\n5,6"\n2,b\n'],
    ['one column', 'a\n1\n\nb\n2\n'],
    ['no bytes', ''],
  ])('are one where there are %s', (_, text) => expect(places(text)).toBeNull())

  it('are one where so many lines stand above them that their texts would grow past the file', () => {
    const between = '\n'.repeat(LINES_ABOVE_MAX / 2)
    expect(places(`${ORDERS}${between}${STOCK}`)).toHaveLength(2)
    expect(places(`${ORDERS}${between}${STOCK}\n${PEOPLE}`)).toBeNull()
  })

  it('are not looked for in a large text', () => {
    expect(places(`${ORDERS}\n\n${STOCK}${'C,1,1,red\n'.repeat(STACKED_MAX_BYTES / 10)}`)).toBeNull()
  })
})
