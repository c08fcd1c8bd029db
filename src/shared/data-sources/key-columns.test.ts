import { describe, expect, it } from 'vitest'
import type { Column } from './data-sources'
import {
  BUSINESS_RANKS,
  additiveMeasureColumns,
  dimensionColumns,
  expectedDirection,
  isBusinessGroup,
  isCategory,
  isKeyColumn,
  isKeyName,
  isResultAmount,
  isTechnicalMeasure,
  isTotalAmount,
  joinColumnsOf,
  lineAmountColumns,
  directionAmong,
  marginColumns,
  measureRank,
  primaryDateColumn,
  rateColumns,
  tableRank,
} from './key-columns'

const measure = (key: Column['key'], label: string, over: Partial<Column> = {}): Column => ({
  ...{ key, label, type: 'number', role: 'measure', format: { style: 'plain' }, hidden: false },
  fileIndex: 0,
  ...over,
})

it('knows what is left of sales by the short names of Swedish trade', () => {
  for (const label of ['TB', 'TB1', 'TB kr', 'Bruttovinst', 'Täckningsbidrag'])
    expect([label, isResultAmount({ label }), expectedDirection(label)]).toEqual([label, true, 'up'])
  expect(expectedDirection('TG')).toBe('up')
  const columns = [measure('c0', 'TB'), measure('c1', 'TG'), measure('c2', 'Täckningsgrad')]
  expect(additiveMeasureColumns(columns).map(({ label }) => label)).toEqual(['TB'])
})

it('knows amounts that Swedish writes in one word with what they are of', () => {
  const sold = [
    'Radbelopp',
    'Orderbelopp',
    'Fakturabelopp',
    'Nettobelopp',
    'Ordersumma',
    'Ordervärde',
    'Nettoomsättning',
  ]
  for (const label of sold) {
    expect([label, isTotalAmount({ label })]).toEqual([label, true])
    const columns = [measure('c0', 'Antal'), measure('c1', 'À-pris'), measure('c2', label), measure('c3', 'Kostnad')]
    expect(lineAmountColumns(columns)).toBeNull()
    expect(marginColumns(columns)).toMatchObject({ amount: { label }, cost: { label: 'Kostnad' } })
    expect(additiveMeasureColumns(columns)[0]?.label).toBe(label)
  }
  const others = ['Rabattbelopp', 'Momsbelopp', 'Kostnadsbelopp', 'Medelvärde', 'Beloppsgräns', 'Lagervärde']
  expect(others.filter((label) => isTotalAmount({ label }))).toEqual([])
  const taken = [measure('c0', 'Bruttobelopp'), measure('c1', 'Nettobelopp'), measure('c2', 'Kostnad')]
  expect(marginColumns(taken)?.amount.label).toBe('Nettobelopp')
})

it('knows groups of what is sold by the words of Swedish trade', () => {
  for (const label of ['Varugrupp', 'Produktgrupp', 'Artikelgrupp', 'product_group', 'Behandlingsgrupp'])
    expect([label, isBusinessGroup(label)]).toEqual([label, true])
  expect(['Varugrupp', 'Produktgrupp', 'Artikelgrupp', 'Kundgrupp'].filter(isCategory)).toHaveLength(3)
  expect(['Momsgrupp', 'Kontogrupp', 'VAT group'].filter(isBusinessGroup)).toEqual([])
})

it('knows by whom, where and as what services are sold', () => {
  const groups = [
    'Klinik',
    'Behandlare',
    'Clinic',
    'Trainer',
    'Membership plan',
    'town',
    'Employee LastName',
    'Anläggning',
  ]
  expect(groups.filter((label) => !isBusinessGroup(label))).toEqual([])
})

describe('what is added up', () => {
  it('is never a key or a code, in English or Swedish, however it is written', () => {
    const keys = [
      ...[
        'ShipVia',
        'ship_via',
        'OrderID',
        'Order no',
        'Invoice number',
        'customer_id',
        'Postal code',
        'Reports to ID',
      ],
      ...[
        'Kundnummer',
        'Kundnr',
        'Artikelkod',
        'Konto',
        'Status',
        'Type',
        'År',
        'Vecka',
        'Radnummer',
        'EAN',
        'ZIP',
        'ReportsTo',
      ],
    ]
    expect(keys.filter((label) => !isKeyName(label))).toEqual([])
  })

  it('is a figure whatever key it counts', () => {
    const figures = ['Number of orders', 'Antal order', 'Account total', 'Kontobelopp', 'Freight', 'Amount', 'Quantity']
    expect(figures.filter(isKeyName)).toEqual([])
    expect(isKeyName('Order value')).toBe(false)
    expect(['Sales this year', 'Försäljning förra året', 'Last month'].filter(isKeyName)).toEqual([])
  })

  it('is never what relations join by, nor a price, share or age', () => {
    const columns = [
      measure('c0', 'Amount'),
      measure('c1', 'Shipper'),
      measure('c2', 'UnitPrice'),
      measure('c3', 'ShipVia'),
    ]
    const relations = [{ from: { dataset: 'orders', key: 'c1' }, to: { dataset: 'shippers', key: 'c0' } }] as const
    const joins = joinColumnsOf('orders', relations)
    expect(additiveMeasureColumns(columns, joins).map(({ label }) => label)).toEqual(['Amount'])
    expect([...joinColumnsOf('shippers', relations)]).toEqual(['c0'])
    expect(isKeyColumn(measure('c0', 'Amount', { role: 'id' }))).toBe(true)
    const units = ['Försäljningspris', 'Styckpris', 'Vinstandel', 'Byggår'].map((label) => measure('c0', label))
    expect(additiveMeasureColumns(units)).toEqual([])
    const rates = ['USD', 'JPY', 'EUR/SEK', 'EEK', 'AMOUNT', 'QTY'].map((label, at) => measure(`c${at}`, label))
    expect(additiveMeasureColumns(rates).map(({ label }) => label)).toEqual(['AMOUNT', 'QTY'])
    // Two may be what was sold in each currency.
    expect(additiveMeasureColumns([measure('c0', 'SEK'), measure('c1', 'EUR')])).toHaveLength(2)
  })

  it('is no rate; rates most asked for come first, those of former currencies last', () => {
    const labels = ['Date', 'EEK', 'JPY', 'BGN', 'SEK', 'USD']
    const columns = labels.map((label, at) => measure(`c${at}`, label))
    expect(rateColumns(columns).map(({ label }) => label)).toEqual(['USD', 'SEK', 'JPY'])
    expect(rateColumns(columns.filter(({ label }) => /EEK|BGN|JPY/.test(label))).map(({ label }) => label)).toEqual([
      ...['JPY', 'BGN', 'EEK'],
    ])
    expect(rateColumns([measure('c0', 'SEK'), measure('c1', 'EUR')])).toEqual([])
  })

  it('is amounts before what they cost', () => {
    const columns = ['Freight', 'Discount amount', 'Line total'].map((label, at) => measure(`c${at}`, label))
    expect(additiveMeasureColumns(columns)[0]?.label).toBe('Line total')
  })
})

it('says of a fee alone in its table neither that more nor that less of it is better', () => {
  const [fee, freight, cost] = [
    measure('c1', 'Fee', { scale: 2 }),
    measure('c2', 'Freight', { scale: 2 }),
    measure('c3', 'Cost'),
  ]
  expect(directionAmong(fee, [fee, measure('c4', 'Rating')], new Set())).toBeNull()
  expect(directionAmong(fee, [fee, cost], new Set())).toBe('up')
  expect(directionAmong(fee, [fee, measure('c5', 'Sales')], new Set())).toBe('down')
  expect(directionAmong(freight, [freight], new Set())).toBe('down')
})

describe('a price', () => {
  const day = measure('c0', 'Ship date', { type: 'date', role: 'time' })
  const [price, cost, weight] = [measure('c1', 'Price'), measure('c2', 'Cost'), measure('c3', 'Weight kg')]
  const summed = (...columns: Column[]): string[] => additiveMeasureColumns(columns).map(({ label }) => label)

  it('is what was asked for the row where this happened some day, names its cost and no number of pieces', () => {
    expect(summed(day, weight, cost, price)).toEqual(['Price', 'Weight kg', 'Cost'])
    expect(marginColumns([day, price, cost])).toMatchObject({ amount: { label: 'Price' }, cost: { label: 'Cost' } })
    expect(measureRank(price)).toBe(BUSINESS_RANKS.money)
  })

  it('is that of one piece, or of a list, elsewhere', () => {
    const name = measure('c4', 'Product name', { type: 'text', role: 'dimension' })
    for (const columns of [
      ...[
        [price, cost],
        [day, price],
        [day, price, cost, measure('c5', 'Quantity')],
      ],
      ...[
        [day, price, cost, name],
        [day, measure('c1', 'Unit price'), cost],
        [day, price, cost, measure('c6', 'Sales')],
      ],
    ])
      expect(summed(...columns).some((label) => /price/i.test(label))).toBe(false)
  })
})

describe('what a business looks at first', () => {
  it('is money, then quantity times price, documents, quantities, lists and measures of machines', () => {
    const rank = (labels: string[], isDocument = false) =>
      tableRank(
        labels.map((label, at) => measure(`c${at}`, label)),
        isDocument,
      )
    expect(rank(['Quantity', 'Total'])).toBe(BUSINESS_RANKS.money)
    expect(rank(['UnitPrice', 'Quantity'], true)).toBe(BUSINESS_RANKS.lineAmount)
    expect(rank(['Antal', 'À-pris'])).toBe(BUSINESS_RANKS.lineAmount)
    expect(rank(['Quantity'], true)).toBe(BUSINESS_RANKS.documents)
    expect(rank(['Quantity'])).toBe(BUSINESS_RANKS.quantity)
    expect(rank(['UnitPrice'])).toBe(BUSINESS_RANKS.register)
    expect(rank(['Milliseconds', 'Bytes', 'UnitPrice'])).toBe(BUSINESS_RANKS.technical)
    expect(measureRank(measure('c0', 'Freight', { scale: 2 }))).toBe(BUSINESS_RANKS.money)
    expect(measureRank(measure('c0', 'Returns', { type: 'integer' }))).toBe(BUSINESS_RANKS.quantity)
  })

  it('is never what a machine measures, however it is written', () => {
    const sizes = ['Bytes', 'duration_ms', 'FileSize', 'Bildbredd', 'Width', 'height_px', 'Längd', 'latency']
    expect(sizes.filter((label) => !isTechnicalMeasure({ label }))).toEqual([])
    const business = ['Hours', 'Weight', 'Quantity', 'Seats', 'Secondary sales', 'Minutes', 'Total']
    expect(business.filter((label) => isTechnicalMeasure({ label }))).toEqual([])
    const columns = ['Bytes', 'Freight', 'Quantity'].map((label, at) => measure(`c${at}`, label))
    expect(additiveMeasureColumns(columns).map(({ label }) => label)).toEqual(['Quantity', 'Freight', 'Bytes'])
  })
})

it('is never dated by a birthday, nor split by an address', () => {
  const time = (label: string) => measure('c0', label, { type: 'date', role: 'time' })
  expect(primaryDateColumn([time('BirthDate'), time('HireDate')])?.label).toBe('HireDate')
  expect(primaryDateColumn([time('Födelsedatum')])).toBeUndefined()
  const texts = ['BillingAddress', 'BillingPostalCode', 'Postnummer', 'BillingCountry', 'E-post'].map((label) =>
    measure('c0', label, { type: 'text', role: 'dimension' }),
  )
  expect(dimensionColumns(texts).map(({ label }) => label)).toEqual(['BillingCountry'])
})

describe('the better direction', () => {
  it('is down for what costs, is lost, returned or late, in English and Swedish', () => {
    const costs = [
      ...[
        'Cost',
        'Total costs',
        'Freight',
        'Discount',
        'Sales returns',
        'Number of complaints',
        'Days late',
        'Cost of sales',
      ],
      ...['Personalkostnad', 'Kostnader', 'Fraktavgift', 'Antal reklamationer', 'Returer', 'Rabatter', 'Sjukfrånvaro'],
      ...['refund_amount', 'ShippingFee', 'Personnel expenses', 'Overdue amount', 'Försenade leveranser'],
      ...['Reklamation', 'Damaged', 'Skadade kollin'],
    ]
    expect(costs.filter((label) => expectedDirection(label) !== 'down')).toEqual([])
  })

  it('is up for what is earned, also after what was taken off it', () => {
    const earned = [
      'Sales',
      'Net revenue',
      'Revenue after discounts',
      'Gross margin',
      'Nettoomsättning',
      'Årets resultat',
    ]
    expect(earned.filter((label) => expectedDirection(label) !== 'up')).toEqual([])
  })

  it('is not guessed where the name says nothing', () => {
    expect(['Amount', 'Quantity', 'Belopp', 'Temperature', ''].map(expectedDirection)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })
})
