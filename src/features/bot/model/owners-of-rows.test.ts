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
