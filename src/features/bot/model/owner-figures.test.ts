import { expect, it } from 'vitest'
import { interpret } from './interpret'
import { memoryValues } from './memory-values'
import { planWords } from './say/plan-words'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { Vocabulary, VocabularyColumn } from './contract'
import type { ColumnRole, ColumnType } from '../../../shared/data-sources/files'

/** The lines of a small company's orders, with Swedish headings and without a metric. */
const LINES = 'ds_0rder000000000000000'
const columns = (
  [
    ['Ordernr', 'integer', 'id', 2600],
    ['Orderdatum', 'date', 'time', 900],
    ['Kund', 'text', 'dimension', 42, 'Byggvaror AB', 'Golvhuset i Lund', 'Nordbygg'],
    ['Ort', 'text', 'dimension', 12, 'Malmö', 'Lund', 'Göteborg'],
    ['Region', 'text', 'dimension', 4, 'Syd', 'Väst', 'Mitt', 'Norr'],
    ['Produktgrupp', 'text', 'dimension', 5, 'Golv', 'Kakel', 'Färg'],
    ['Artikel', 'text', 'dimension', 38, 'Ekparkett 14 mm', 'Väggfärg 10 l'],
    ['Antal', 'integer', 'measure', 60],
    ['Styckpris', 'number', 'measure', 120],
    ['Belopp', 'number', 'measure', 4000],
    ['Kostnad', 'number', 'measure', 4000],
  ] satisfies [string, ColumnType, ColumnRole, number, ...string[]][]
).map(([label, type, role, distinct, ...values], i): VocabularyColumn => ({
  ...{ key: `c${i}`, label, type, role, distinct, format: { style: 'plain' } },
  ...(values.length > 0 ? { values } : {}),
  ...(type === 'date' ? { from: '2022-01-03', to: '2024-09-27' } : {}),
}))
const company = (name: string): Vocabulary => ({
  datasets: [{ id: LINES, name, rowCount: 8600, columns }],
  ...{ relations: [], metrics: [], groupings: [], things: [], glossary: [], verified: [] },
})
const values = memoryValues(
  columns.flatMap(({ key, values: held = [] }) =>
    held.map((value) => ({ dataset: LINES, column: key, value: String(value), count: 100 })),
  ),
)
const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2024-09-27' } as const

/** The plan in words, where the question leads, or that it is asked back or declined. */
async function told(question: string, name = 'Orderrader'): Promise<string> {
  const vocabulary = company(name)
  const answer = await interpret({ question, vocabulary, values, calendar })
  if (answer.kind === 'way') return answer.words
  if (answer.kind !== 'answer') return answer.kind
  return planWords(queryPlanSchema.parse(answer.plan), { vocabulary, locale: 'en-GB' })
}

const Y2023 = '2023-01-01 – 2023-12-31'
const Y2024 = '2024-01-01 – 2024-12-31'
const QUESTIONS: readonly (readonly [question: string, plan: string])[] = [
  ['försäljning per produktgrupp 2024', `Sales, by produktgrupp, ${Y2024}`],
  ['total försäljning 2023', `Sales, ${Y2023}`],
  ['how much did we sell in 2023?', `Sales, ${Y2023}`],
  ['hur mycket sålde vi förra månaden?', 'Sales, last month'],
  ['sales by month', 'Sales, by month'],
  ['omsättning per kvartal 2024', `Total belopp, by quarter, ${Y2024}`],
  ['intäkter per region', 'Sales, by region'],
  ['sales per weekday', 'Sales, by weekday'],
  ['antal ordrar per månad', 'Antal ordrar, by month'],
  ['number of orders by month', 'Number of orders, by month'],
  ['hur många ordrar hade vi 2023?', `Number of ordrar, ${Y2023}`],
  ['antal order per ort', 'Antal order, by ort'],
  ['antal kunder per region', 'Antal kunder, by region'],
  ['number of customers by city', 'Number of customers, by ort'],
  ['antal per produktgrupp', 'Total antal, by produktgrupp'],
  ['sålt antal per artikel', 'Sålt antal, by artikel'],
  ['antal sålda enheter per månad', 'Antal sålda enheter, by month'],
  ['how many units did we sell in 2024?', `Number of units, ${Y2024}`],
  ['how many sales did we have in 2023?', 'refuse'],
  ['genomsnittligt ordervärde 2023', `Average order value, ${Y2023}`],
  ['average order value by month', 'Average order value, by month'],
  ['snittorder', 'Average order value'],
  ['revenue per order', 'Average order value'],
  ['genomsnittligt styckpris per artikel', 'Genomsnittligt styckpris, by artikel'],
  ['average price by product group', 'Average price, by produktgrupp'],
  ['why did profit fall in 2024?', `What accounts for it: Gross profit, ${Y2024}`],
  ['varför sjönk marginalen 2024', `What accounts for it: Gross margin, ${Y2024}`],
  ['bruttomarginal per månad', 'Gross margin, by month'],
  ['profit by city', 'Gross profit, by ort'],
  ['vinst per kund 2024', `Gross profit, by kund, ${Y2024}`],
  ['kostnad per produktgrupp', 'Costs, by produktgrupp'],
  ['vilken produktgrupp har lägsta marginal?', 'Gross margin, by produktgrupp, gross margin, lowest first, top 1'],
  ['which product has the lowest margin?', 'Gross margin, by artikel, gross margin, lowest first, top 1'],
  ['top 3 customers by sales last year', 'Sales, by kund, last year, sales, highest first, top 3'],
  ['topp 10 artiklar efter försäljning 2024', `Sales, by artikel, ${Y2024}, sales, highest first, top 10`],
  ['bottom 5 products by sales in 2024', `Sales, by artikel, ${Y2024}, sales, lowest first, top 5`],
  ['vilken månad sålde vi mest?', 'Sales, by month, sales, highest first, top 1'],
  ['vilken kund köpte mest 2024?', `Sales, by kund, ${Y2024}, sales, highest first, top 1`],
  ['which customer bought the most in 2024?', `Sales, by kund, ${Y2024}, sales, highest first, top 1`],
  ['vilka artiklar säljer bäst?', 'Sales, by artikel'],
  ['försäljning i Region Syd', 'Sales, region is Syd'],
  ['sales of Golv in Q2 2024', 'Sales, 2024-04-01 – 2024-06-30, produktgrupp is Golv'],
  ['försäljning av Kakel per månad 2024', `Sales, by month, ${Y2024}, produktgrupp is Kakel`],
  ['sales per customer in Malmö', 'Sales, by kund, ort is Malmö'],
  ['försäljning 2024 jämfört med förra året', `Sales, ${Y2024}, compared with the previous year`],
  ['sales this year compared to last year by region', 'Sales, by region, this year, compared with the previous year'],
  ['how much profit did we make in 2023?', `Gross profit, ${Y2023}`],
  ['hur mycket tjänade vi 2024?', `Gross profit, ${Y2024}`],
  ['best selling products 2024', `Sales, by artikel, ${Y2024}`],
  ['who are our biggest customers?', 'Sales, by kund'],
  ['vilka är våra största kunder?', 'Sales, by kund'],
  ['gross margin by product group last 12 months', 'Gross margin, by produktgrupp, last 12 months'],
  ['försäljning senaste 3 månaderna per region', 'Sales, by region, last 3 months'],
  ['how much of sales comes from the five largest customers?', 'Share of the 5 largest'],
  ['hur stor andel av försäljningen står de fem största kunderna för?', 'Share of the 5 largest'],
  ['what share of sales do the top 10 products make up in 2024?', `Share of the 10 largest, ${Y2024}`],
  ['omsättning i år jämfört med i fjol', 'Total belopp, this year, compared with the previous year'],
  ['försäljning i fjol per kvartal', 'Sales, by quarter, last year'],
  ['vilken region växer snabbast?', 'clarify'],
  ['sales growth by year', 'Sales growth, by year'],
  ['share of sales by region', 'Share of sales, by region'],
  ['antal sålda artiklar 2024', 'refuse'],
  [
    'vilka kunder har inte köpt något sedan juli 2024?',
    'Latest orderdatum, rows since 2024-07-01, by kund, rows since 2024-07-01 equal to 0',
  ],
  [
    "which customers haven't bought anything since June 2024?",
    'Latest orderdatum, rows since 2024-06-01, by kund, rows since 2024-06-01 equal to 0',
  ],
  [
    'vilken kund har flest ordrar?',
    'Number of different ordernr, by kund, number of different ordernr, highest first, top 1',
  ],
  [
    'which customer has the most orders?',
    'Number of different ordernr, by kund, number of different ordernr, highest first, top 1',
  ],
  ['försäljning per vecka senaste 8 veckorna', 'Sales, by week, last 8 weeks'],
  ['average sales per month', 'Average sales per month'],
  ['average number of orders per customer', 'Average number of orders per customer'],
  ['vilken region har högst försäljning?', 'Sales, by region, sales, highest first, top 1'],
  ['how many customers bought Golv in 2024?', `Number of customers, ${Y2024}, produktgrupp is Golv`],
  ['försäljning till Golvhuset i Lund 2024', `Sales, ${Y2024}, kund is Golvhuset i Lund`],
  ['sales in Syd and Väst', 'Sales, region is Syd or is Väst'],
  ['försäljning per kund och månad 2024', `Sales, by month, by kund, ${Y2024}`],
  ['genomsnittlig marginal per region', 'Gross margin, by region'],
  ['how much did sales grow in 2024?', `Sales, ${Y2024}, compared with the previous year`],
  ['hur mycket ökade försäljningen 2024?', `Sales, ${Y2024}, compared with the previous year`],
  ['average number of orders per month', 'Average number of orders per month'],
  ['tb per region 2024', `Gross profit, by region, ${Y2024}`],
  ['vilken region har lägst försäljning?', 'Sales, by region, sales, lowest first, top 1'],
  ['our three best customers in 2024', `Sales, by kund, ${Y2024}, sales, highest first, top 3`],
  ['hej, kan du visa försäljningen månad för månad 2024?', `Sales, by month, ${Y2024}`],
  ['sales 2023 and 2024', `Sales, by year, 2023-01-01 – 2024-12-31`],
  ['when was the last order?', 'refuse'],
  ['nya kunder per månad', 'clarify'],
  ['antal ordrar över 10000', 'clarify'],
  ['omsättning mars 2024', 'Total belopp, 2024-03-01 – 2024-03-31'],
  ['vilken ort säljer mest?', 'Sales, by ort, sales, highest first, top 1'],
]
it.each(QUESTIONS)('reads an owner’s “%s”', async (question, plan) => {
  expect(await told(question)).toBe(plan)
})

it.each(['Ordrar', 'Försäljning', 'Sales', 'Transaktioner 2024'])(
  'reads the same of a table called “%s”',
  async (name) => {
    expect(await told('försäljning per region', name)).toBe('Sales, by region')
    expect(await told('sales by month', name)).toBe('Sales, by month')
    expect(await told('antal ordrar per månad', name)).toBe('Antal ordrar, by month')
  },
)
