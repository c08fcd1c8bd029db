import { smallTables, told } from './small-tables.fixture'

const orders = {
  rows: 900,
  headings: [
    ['Ordernr', 'key'],
    ['Orderdatum', 'date'],
    ['Kund', 'kind', 'Malmö Hjul', 'Åre Skidshop'],
    ['Region', 'kind', 'Skåne', 'Jämtland'],
    ['Belopp exkl. moms', 'number'],
    ['Frakt inkl. moms', 'number'],
  ],
} as const

told('names with full stops in them', smallTables({ Orderlista: orders }), [
  ['Belopp exkl. moms by month', 'Total belopp exkl. moms, by month'],
  ['belopp exkl. moms per kund', 'Total belopp exkl. moms, by kund'],
  ['Total Belopp exkl. moms per region 2024.', 'Total belopp exkl moms, by region, 2024-01-01 – 2024-12-31'],
  ['Total frakt inkl. moms', 'Total frakt inkl moms'],
])

const withTills = smallTables({
  Orderlista: orders,
  Kassarapport: {
    rows: 800,
    headings: [
      ['Datum', 'date', '2019-01-02', '2021-10-28'],
      ['Butik', 'kind', 'Västerås', 'Eskilstuna'],
      ['Försäljning', 'number'],
    ],
  },
})
told('a table that ended before the period asked about', withTills, [
  ['Hur mycket sålde vi för i oktober 2020?', 'Total försäljning, 2020-10-01 – 2020-10-31'],
  ['Hur mycket sålde vi för i oktober 2023?', 'clarify'],
  ['Hur mycket sålde vi för i oktober 2025?', 'refuse'],
])
