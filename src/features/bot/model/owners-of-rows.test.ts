import { smallTables, told } from './small-tables.fixture'

const kennel = smallTables(
  {
    hundar: {
      rows: 12,
      headings: [
        ['HundID', 'key'],
        ['Hund', 'name', 'Bamse', 'Doris', 'Otto'],
        ['Ras', 'kind', 'Labrador', 'Tax'],
        ['Född', 'date', '2010-02-01', '2023-05-30'],
      ],
    },
    vistelser: {
      rows: 150,
      headings: [
        ['Bokningsnr', 'key'],
        ['Incheckning', 'date'],
        ['Utcheckning', 'date'],
        ['HundID', 'link'],
        ['Dygnspris', 'number'],
        ['Antal dygn', 'number'],
      ],
    },
  },
  ['vistelser.HundID > hundar.HundID'],
)
told('a day of birth', kennel, [
  ['Hur många hundar hade vi i mars 2024?', 'clarify'],
  ['Hur många hundar är födda 2020?', 'Number of hundar, född is from 2020-01-01 to 2020-12-31'],
  ['Intäkter per ras', 'Revenue, by ras of Hundar, hundID is not empty'],
])

const dentist = smallTables({
  tandvårdsfakturor: {
    rows: 200,
    headings: [
      ['Fakturanr', 'key'],
      ['Fakturadatum', 'date'],
      ['Patient', 'kind', 'Berit Holm', 'Kurt Ek'],
      ['Behandling', 'kind', 'Krona', 'Lagning'],
      ['Belopp', 'number'],
    ],
  },
})
told('invoices that are called after a trade', dentist, [
  ['Hur mycket fakturerade vi i mars 2024?', 'Totalt fakturabelopp, 2024-03-01 – 2024-03-31'],
  ['Vilken behandling drar in mest pengar?', 'Sales, by behandling, sales, highest first, top 1'],
])

const sheets = smallTables({
  timesheets: {
    rows: 300,
    headings: [
      ['date', 'date'],
      ['employee', 'kind', 'Ruth Vance', 'Dev Patel'],
      ['hours', 'number'],
    ],
  },
  stock: {
    rows: 8,
    headings: [
      ['product', 'name', 'Oak board', 'Decking'],
      ['bin', 'kind', 'A', 'B'],
    ],
  },
})
told('what may mean two things', sheets, [
  ['Average hours per employee per month', 'clarify'],
  ['What is our stock worth?', 'clarify'],
  ['Average hours per employee', 'Average hours, by employee'],
])

const bakery = smallTables({
  deliveries: {
    rows: 260,
    headings: [
      ['Delivery no', 'key'],
      ['Date', 'date'],
      ['Customer', 'kind', 'Hotel Astoria', 'Lime Bistro'],
      ['Quantity', 'number'],
      ['Unit price', 'number'],
      ['Paid', 'yesNo'],
      ['Delivered late', 'yesNo'],
    ],
  },
})
told('amounts of pieces and what one costs', bakery, [
  ['Average delivery value', 'Average delivery value'],
  ['What were our sales in March 2024?', 'Sales, 2024-03-01 – 2024-03-31'],
  ['Sales Jan-Mar 2024 vs 2023', 'Sales, 2024-01-01 – 2024-03-31, compared with the previous year'],
])

const flowers = smallTables({
  blomsterinköp: {
    rows: 190,
    headings: [
      ['Datum', 'date'],
      ['Leverantör', 'kind', 'Rosgården', 'Blomstergross'],
      ['Antal', 'number'],
      ['À-pris', 'number'],
    ],
  },
})
told('what was bought', flowers, [
  ['Inköp per leverantör 2023', 'Amount, by leverantör, 2023-01-01 – 2023-12-31'],
  ['Vilken leverantör köper vi mest av?', 'Purchases, by leverantör, purchases, highest first, top 1'],
  ['Största inköpet i år', 'clarify'],
])

const shelves = smallTables({
  stock: {
    rows: 8,
    headings: [
      ['product', 'name', 'Oak board', 'Decking'],
      ['in_stock_m3', 'number'],
    ],
  },
})
told('least in stock', shelves, [
  ['Which product do we have the least of?', 'Stock: product, In stock m3, in stock m3, ascending, top 1'],
])
