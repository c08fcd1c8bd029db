import { beforeAll, describe, expect, it } from 'vitest'
import { askBotAs } from '../../../test/worker/bot/ask-bot'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { amountColumn, createLedger, createLoadedSource, dayColumn, textColumn } from '../../../test/worker/loads'
import { createApp } from '../../app'

/** Books of one year: each month sold for 1 000 and the month, 400 of goods and 100 of rent; wages of 50 from July on. */
const books = (year: number, rent = 'Rent'): string =>
  [
    ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', `#ORGNR 556000-${year}`, '#FNAMN "Alfa AB"'],
    ...[`#RAR 0 ${year}0101 ${year}1231`, '#IB 0 1930 1000', '#KONTO 1930 "Bank"', '#KONTO 3010 "Sales of goods"'],
    ...['#KONTO 4010 "Goods"', `#KONTO 5010 "${rent}"`, '#KONTO 7010 "Wages"'],
    ...Array.from({ length: 12 }, (_, at) => {
      const [sold, wages] = [1000 + at + 1, at >= 6 ? 50 : 0]
      return [
        `#VER A ${at + 1} ${year}${String(at + 1).padStart(2, '0')}15 "Month ${at + 1}"`,
        ...['{', `#TRANS 3010 {} -${sold}`, '#TRANS 4010 {} 400', '#TRANS 5010 {} 100'],
        ...(wages > 0 ? [`#TRANS 7010 {} ${wages}`] : []),
        ...[`#TRANS 1930 {} ${sold - 500 - wages}`, '}'],
      ]
    }).flat(),
  ].join('\r\n')
const total = ({ figures }: Awaited<ReturnType<typeof askBotAs>>) => figures?.result.rows.at(-1)?.at(-1)

describe('questions about a ledger', () => {
  let me: SignedIn
  beforeAll(async () => {
    me = await signedIn({ app: createApp() })
    await createLedger(me, books(2021))
  })

  it.each([
    ['What was revenue in March 2021?', 1003],
    ['omsättning i mars 2021', 1003],
    ['personnel costs in 2021', 300],
    ['kostnader i juli 2021', 550],
    ['EBIT in January 2021', 501],
    ['resultat i december 2021', 462],
    ['kassaflöde i december 2021', 462],
  ])('%s', async (question, figure) => {
    expect(Number(total(await askBotAs(me, question)))).toBe(figure)
  })

  it.each([
    ['hur stora var personalkostnaderna 2021?', 300],
    ['EBIT margin in January 2021 in percent', 501 / 1001],
    ['largest cost account in June 2021', 400],
    ['How much cash do we have?', 6778],
    ['Hur mycket kassa har vi', 6778],
  ])('%s', async (question, figure) => {
    expect(Number(total(await askBotAs(me, question)))).toBeCloseTo(figure, 6)
  })

  it('rank accounts that are asked for in the plural, and say why no cash of another day is told', async () => {
    const largest = await askBotAs(me, 'Which cost accounts were largest in 2021?')
    expect(largest.figures?.result.rows[0]).toEqual(['Goods', 4800])
    expect(largest.followUps).toContain('Compare with last year')
    const then = await askBotAs(me, 'cash in March 2021')
    expect(then.message.reply).toMatchObject({ kind: 'refuse', message: expect.stringContaining('the balance now') })
  })

  it('are suggested by the figures of the books, never by plain sums of entries', async () => {
    const told = await me.fetch('/api/bot/suggestions')
    const { items } = await told.json<{ items: string[] }>()
    expect(items.slice(0, 2)).toEqual(['Revenue by month', 'Operating expenses by account'])
    expect(items.filter((item) => item.startsWith('Total'))).toEqual([])
    const { reply } = (await askBotAs(me, 'how is the weather')).message
    expect(reply).toMatchObject({ kind: 'refuse', suggestions: expect.arrayContaining(['Revenue by month']) })
    const { followUps } = await askBotAs(me, 'revenue in 2021')
    expect(followUps).toContain('By account')
  })

  it('tell accounts by their names, and by their numbers too where two have one name', async () => {
    const rowsOf = async (who: SignedIn) => (await askBotAs(who, 'costs by account in 2021')).figures?.result.rows
    expect(await rowsOf(me)).toEqual([
      ['Goods', 4800],
      ['Rent', 1200],
      ['Wages', 300],
    ])
    const other = await signedIn({ app: createApp() })
    await createLedger(other, books(2021, 'Goods'))
    expect(await rowsOf(other)).toEqual([
      ['4010', 'Goods', 4800],
      ['5010', 'Goods', 1200],
      ['7010', 'Wages', 300],
    ])
  })
})

it('asks whose books are meant where two companies have the figure, and says whose it is where one has', async () => {
  const me = await signedIn({ app: createApp() })
  await createLedger(me, books(2021))
  await createLedger(me, books(2022), 'Beta AB')
  const told = await askBotAs(me, 'omsättning i mars 2022')
  expect(told.message.reply).toMatchObject({ kind: 'answer', words: expect.stringContaining('Revenue (Beta AB)') })
  expect(Number(total(told))).toBe(1003)
  const { reply } = (await askBotAs(me, 'total revenue')).message
  const choices = reply?.kind === 'clarify' ? reply.choices : []
  expect(Number(total(await askBotAs(me, 'revenue of Beta AB by month')))).toBe(1012)
  const { items } = await (await me.fetch('/api/bot/suggestions')).json<{ items: string[] }>()
  expect(items).toEqual(expect.arrayContaining(['Revenue of Beta AB by month', 'Revenue of Books by month']))
  expect(choices.map(({ label }) => label).toSorted()).toEqual(['Revenue (Beta AB)', 'Revenue (Books)'])
})

it('leaves words of sales to the sales of the workspace, where these stand in a table of their own', async () => {
  const me = await signedIn({ app: createApp() })
  await createLedger(me, books(2021))
  await createLoadedSource(me, ['Day,Customer,Amount', '2021-03-02,A,70', '2021-03-05,B,7'].join('\n'), {
    name: 'Orders',
    columns: [dayColumn(0, 'Day'), textColumn(1, 'Customer'), amountColumn(2, 'Amount')],
  })
  expect(Number(total(await askBotAs(me, 'sales in March 2021')))).toBe(77)
  expect(Number(total(await askBotAs(me, 'personnel costs in 2021')))).toBe(300)
})

it('never suggests a sum of unit prices, and says by its name which source has no rows of a period', async () => {
  const me = await signedIn({ app: createApp() })
  await createLoadedSource(me, ['Day,Kind,A-price', '2021-03-02,A,70', '2021-03-05,B,7', '2021-03-05,B,9'].join('\n'), {
    name: 'Bought flowers',
    columns: [dayColumn(0, 'Day'), textColumn(1, 'Kind'), amountColumn(2, 'A-price')],
  })
  const { reply } = (await askBotAs(me, 'how is the weather')).message
  const suggestions = reply?.kind === 'refuse' ? reply.suggestions : []
  expect(suggestions.filter((each) => /total/i.test(each))).toEqual([])
  expect((await askBotAs(me, 'number of bought flowers in 2019')).message.reply).toMatchObject({
    message: expect.stringMatching(/^No data for that period\. Bought flowers covers .*Mar 2021 – .*Mar 2021\.$/),
  })
})
