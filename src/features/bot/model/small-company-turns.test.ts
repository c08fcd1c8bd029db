import { smallTables, told } from './small-tables.fixture'

const timber = smallTables(
  {
    Order: {
      rows: 900,
      headings: [
        ['Ordernr', 'link'],
        ['Orderdatum', 'date', '2022-01-03', '2024-05-31'],
        ['Kund', 'kind', 'Bygghuset', 'Norrsnickeri'],
        ['Artikelnr', 'link'],
        ['Antal', 'number'],
        ['Á-pris', 'number'],
        ['Levererad sent', 'yesNo'],
      ],
    },
    Lager: {
      rows: 40,
      headings: [
        ['Artikelnr', 'key'],
        ['Benämning', 'name'],
        ['Saldo', 'number'],
        ['Inköpspris', 'number'],
      ],
    },
  },
  ['Order.Artikelnr > Lager.Artikelnr'],
)
told('who no longer comes, what is in stock, and what came late', timber, [
  [
    'Vilka kunder har slutat köpa av oss?',
    'Latest orderdatum, rows since 2024-02-29, by kund, rows since 2024-02-29 equal to 0',
  ],
  [
    'Which customers have not bought anything in two months?',
    'Latest orderdatum, rows since 2024-03-31, by kund, rows since 2024-03-31 equal to 0',
  ],
  ['Vad är lagret värt?', 'Stock value'],
  ['Vilken artikel har vi minst av i lager?', 'Lager: benämning, Saldo, saldo, ascending, top 1'],
  ['Hur stor andel av orderraderna levererades sent?', 'Andel av orderraderna'],
  ['Försäljning juni–augusti 2023 jämfört med 2022', 'Sales, 2023-06-01 – 2023-08-31, compared with the previous year'],
])

const till = smallTables({
  Kassarader: {
    rows: 4000,
    headings: [
      ['Kvitto', 'link'],
      ['Datum', 'date'],
      ['Artikel', 'kind', 'Pannbiff', 'Lax'],
      ['Kategori', 'kind', 'Varmrätt', 'Dessert'],
      ['Antal', 'number'],
      ['Pris', 'number'],
    ],
  },
})
told('lines of receipts are sales', till, [
  ['Hur mycket sålde vi för förra månaden?', 'Sales, last month'],
  ['Snittnota per månad', 'Average order value, by month'],
  ['Omsättning per kategori i somras', 'Revenue, by kategori, 2023-06-01 – 2023-08-31'],
  ['Share of sales from the Pannbiff Lax', 'clarify'],
  ['Which weekday is slowest?', 'Sales, by weekday, sales, lowest first, top 1'],
  ['Antal sålda desserter per månad', 'Number of pieces, by month, kategori is Dessert'],
])

const letting = smallTables({
  'Rent payments': {
    rows: 600,
    headings: [
      ['Payment ID', 'key'],
      ['Tenant', 'kind', 'Beanhouse', 'Doyle'],
      ['Due date', 'date'],
      ['Paid date', 'date'],
      ['Rent', 'number'],
    ],
  },
})
told('what money was for and when it came are two matters', letting, [
  ['Total rent in 2023', 'Total rent, 2023-01-01 – 2023-12-31'],
  ['How many rents were paid late?', 'Number of rents, paid date is more than Due date'],
  ['How many unpaid rents do we have?', 'Number of rents, paid date is empty'],
  ['Which tenant owes us the most?', 'Total amount, by tenant, paid date is empty, total amount, highest first, top 1'],
])

const club = smallTables({
  members: {
    rows: 80,
    headings: [
      ['member_id', 'key'],
      ['name', 'name'],
      ['birth_date', 'date', '1950-02-01', '2006-07-02'],
    ],
  },
})
told('how old people are, by the day of their birth', club, [
  ['What is the average age of our members?', 'Average age'],
  ['How many members are older than 60?', 'Number of members, birth date is at most 1964-05-31'],
])

const hours = smallTables({
  'Time sheets': {
    rows: 900,
    headings: [
      ['Date', 'date'],
      ['Consultant', 'kind', 'Hanna', 'Tom'],
      ['Hours', 'number'],
      ['Billable', 'yesNo'],
    ],
  },
})
told('hours are those of a day or of a person, and not of one row', hours, [
  ['Average hours per day', 'Average hours per day'],
  ['Consultants with less than 100 hours', 'Total hours, by consultant, total hours less than 100'],
])
