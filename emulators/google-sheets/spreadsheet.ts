import { isoFromDay, type VendorCompany, type VendorOrder } from '../vendors/company.ts'

export type GridValue = string | number | boolean
type NumberFormat = 'DATE' | 'DATE_TIME' | 'PERCENT' | 'CURRENCY'
export interface GridMerge {
  startRowIndex: number
  endRowIndex: number
  startColumnIndex: number
  endColumnIndex: number
}
export interface StoredSheet {
  id: number
  title: string
  hidden: boolean
  rows: GridValue[][]
  merges: GridMerge[]
  /** By column, of all its cells below the headings. */
  formats: Readonly<Record<number, NumberFormat>>
  /** Rows and columns that the grid has, filled or not. */
  size: { rows: number; columns: number }
}

/** Day 0 of serial numbers is 30 December 1899. */
const SERIAL_OF_EPOCH = 25_569
const SERIAL = (day: number): number => day + SERIAL_OF_EPOCH

/** A file with sheets as people make them: a title, headings over two rows, empty rows, days as serial numbers. */
export function makeSheets(company: VendorCompany): StoredSheet[] {
  const sales = salesRows(company.placed)
  const customers = customerRows(company)
  return [
    {
      ...{
        id: 0,
        title: 'Sales by month',
        hidden: false,
        rows: sales,
        formats: { 0: 'DATE', 2: 'CURRENCY', 4: 'CURRENCY' },
      },
      merges: [merge(0, 1, 0, 5), merge(2, 4, 0, 1), merge(2, 3, 1, 3), merge(2, 3, 3, 5)],
      size: { rows: Math.max(1000, sales.length), columns: 26 },
    },
    {
      ...{ id: 417, title: "Kunder '26", hidden: false, rows: customers, formats: { 4: 'DATE' }, merges: [] },
      size: { rows: customers.length, columns: 6 },
    },
    {
      ...{
        id: 993,
        title: 'Old',
        hidden: true,
        rows: [
          ['Year', 'Share'],
          [2020, 0.25],
          [2021, 0.31],
        ],
        merges: [],
      },
      ...{ formats: { 1: 'PERCENT' }, size: { rows: 3, columns: 2 } },
    },
  ]
}

const merge = (top: number, bottom: number, left: number, right: number): GridMerge => ({
  ...{ startRowIndex: top, endRowIndex: bottom, startColumnIndex: left, endColumnIndex: right },
})

function salesRows(placed: readonly VendorOrder[]): GridValue[][] {
  const months = Map.groupBy(placed, ({ day }) => isoFromDay(day).slice(0, 7))
  const rows = [...months].map(([month, orders]): GridValue[] => {
    const home = orders.filter(({ customer }) => customer.country === 'Sweden')
    const abroad = orders.filter(({ customer }) => customer.country !== 'Sweden')
    const sum = (of: readonly VendorOrder[]): number => of.reduce((total, { net }) => total + net, 0) / 100
    const first = SERIAL(Date.parse(`${month}-01T00:00:00Z`) / 86_400_000)
    return [first, home.length, sum(home), abroad.length, sum(abroad)]
  })
  return [
    ['Sales, all customers'],
    [],
    ['Month', 'Sweden', '', 'Other countries'],
    ['', 'Orders', 'Amount', 'Orders', 'Amount'],
    ...rows,
  ]
}

const customerRows = ({ customers }: VendorCompany): GridValue[][] => [
  ['Customer no', 'Name', 'City', 'Country', 'Since', 'Key account'],
  ...customers.map(({ number, name, city, country, since, weight }): GridValue[] => {
    return [number, name, city, country, SERIAL(since), weight > 2]
  }),
]
