import { expect, it } from 'vitest'
import { smallTables, told } from './small-tables.fixture'

const shop = smallTables(
  {
    ordrar: {
      rows: 400,
      headings: [
        ['Ordernr', 'key'],
        ['Kundnr', 'link'],
        ['Orderdatum', 'date', '2022-01-03', '2024-05-31'],
        ['Belopp', 'number'],
        ['Ansvarig säljare', 'kind', 'Maria Lind', 'Olof Brandt'],
        ['Express', 'yesNo'],
        ['Timmar', 'number'],
      ],
    },
    kunder: {
      rows: 60,
      headings: [
        ['Kundnr', 'key'],
        ['Kundnamn', 'name', 'Alvar Bygg', 'Bok & Papper'],
        ['Kontakt', 'kind', 'Maria Stål', 'Pia Dahl'],
        ['Typ', 'kind', 'Butik', 'Skola'],
        ['Ort', 'kind', 'Kalmar', 'Växjö'],
      ],
    },
  },
  ['ordrar.Kundnr > kunder.Kundnr'],
)
told('what is said by verbs', shop, [
  ['Vad har Alvar Bygg köpt för?', 'Sales, kundnamn of Kunder is Alvar Bygg'],
  [
    'which kund brings in the most money',
    'Total belopp, by kundnr of Kunder, by kundnamn of Kunder, total belopp, highest first, top 1',
  ],
  [
    'Sålde vi mer i april än i mars?',
    'Sales, by month, orderdatum is from 2024-04-01 to 2024-04-30 or is from 2024-03-01 to 2024-03-31',
  ],
  [
    'försäljning q1 2024 jämfört med q1 2023',
    'Sales, by quarter, orderdatum is from 2024-01-01 to 2024-03-31 or is from 2023-01-01 to 2023-03-31',
  ],
  [
    'försäljning i mars jämfört med januari',
    'Sales, by month, orderdatum is from 2024-03-01 to 2024-03-31 or is from 2024-01-01 to 2024-01-31',
  ],
  ['vilken månad har högst försäljning', 'Sales, by month, sales, highest first, top 1'],
  ['hur mycket köper en kund i snitt?', 'Genomsnittlig försäljning per kund'],
  [
    'Vilka kunder har inte handlat i år?',
    'Kunder: kundnamn, without ordrar where Orderdatum is from 2024-01-01 to 2024-06-01',
  ],
  ['försäljning Kalmar vs Växjö', 'Sales, by ort of Kunder, ort of Kunder is Kalmar or is Växjö'],
  ['försäljning per skola', 'Sales, by kundnr of Kunder, by kundnamn of Kunder, typ of Kunder is Skola'],
  ['bästa månaden', 'Sales, by month, sales, highest first, top 1'],
  ['express timmar per ort', 'Total timmar, by ort of Kunder, express is yes, kundnr is not empty'],
  ['total försäljning för Olof', 'Sales, ansvarig säljare is Olof Brandt'],
  ['total försäljning för Maria', 'clarify'],
  ['hur många ordrar har vi idag?', 'refuse'],
  ['försäljning utom Kalmar och Växjö', 'Sales, ort of Kunder is not Kalmar, ort of Kunder is not Växjö'],
])

const books = smallTables(
  {
    verifikationer: {
      rows: 900,
      headings: [
        ['Vernr', 'link'],
        ['Datum', 'date', '2022-01-03', '2024-05-31'],
        ['Konto', 'link'],
        ['Belopp', 'number'],
      ],
    },
    kontoplan: {
      rows: 40,
      headings: [
        ['Konto', 'key'],
        ['Kontonamn', 'name', 'Lokalhyra', 'Försäljning tjänster'],
      ],
    },
  },
  ['verifikationer.Konto > kontoplan.Konto'],
)
told('what books come to', books, [['Lokalhyra per månad', 'clarify']])

const webShop = smallTables({
  orders: {
    rows: 500,
    headings: [
      ['Order', 'link'],
      ['Created', 'date', '2022-01-03', '2024-05-31'],
      ['Carrier', 'kind', 'Boat', 'Train'],
      ['Total', 'number'],
    ],
  },
})
told('lines of what they are called after', webShop, [
  ['how many orders last month', 'Number of orders, last month'],
  ['orders per carrier', 'Count, by carrier'],
  ['average order value', 'Average order value'],
  ['orders over 3000', 'refuse'],
])

const CONTENT = /^\p{L}{4,}$/u
const ASKED = [
  'försäljning per ort i april',
  'hur många kunder i Kalmar',
  'vad har Alvar Bygg köpt för',
  'antal ordrar per månad 2023',
  'genomsnittligt belopp per säljare',
  'total försäljning för Olof i mars',
  'kunder utan ordrar',
  'ordrar med belopp över 5000 per ort',
  'andel ordrar från Växjö',
  'högsta belopp i maj',
  'timmar per ort förra året',
]
it('never answers the same when a word of the question becomes one that nothing knows', async () => {
  const same: string[] = []
  for (const question of ASKED) {
    const answer = await shop(question)
    if (answer === 'clarify' || answer === 'refuse') continue
    const words = question.split(' ')
    for (const [i, word] of words.entries()) {
      if (!CONTENT.test(word)) continue
      const other = await shop(words.toSpliced(i, 1, 'qvarzigt').join(' '))
      if (other === answer) same.push(`${question} without ${word}: ${other}`)
    }
  }
  expect(same).toEqual([])
})
