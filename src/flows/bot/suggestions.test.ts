import { expect, it } from 'vitest'
import { askBotAs } from '../../../test/worker/bot/ask-bot'
import { createApp } from '../../app'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { amountColumn, createLoadedSource, dayColumn, textColumn } from '../../../test/worker/loads'
import type { BotSuggestions } from '../../shared/bot/conversations'
import type { FileColumn } from '../../shared/data-sources/files'

async function post(me: SignedIn, path: string, body: unknown): Promise<void> {
  const answer = await me.fetch(path, { method: 'POST', json: body })
  expect(answer.ok, await answer.clone().text()).toBe(true)
}

const COLUMNS = [
  dayColumn(0, 'Orderdatum'),
  textColumn(1, 'Region'),
  amountColumn(2, 'Styckpris'),
  amountColumn(3, 'Belopp'),
  amountColumn(4, 'Kostnad'),
]
const ROWS = Array.from({ length: 24 }, (_, at) => {
  const region = ['Norr', 'Syd', 'Väst'][at % 3]
  return `2024-${String(1 + (at % 12)).padStart(2, '0')}-10,${region},${10 + at},${100 + at},${60 + at}`
})
const TEXT = ['Orderdatum,Region,Styckpris,Belopp,Kostnad', ...ROWS].join('\n')

it('offers to ask for what a business looks at first, and for no sum of unit prices', async () => {
  const me = await signedIn({ app: createApp() })
  await createLoadedSource(me, TEXT, { columns: COLUMNS })
  const { items } = await (await me.fetch('/api/bot/suggestions')).json<BotSuggestions>()
  expect(items[0]).toBe('Belopp by month')
  expect(items).toHaveLength(6)
  expect(items.filter((question) => /styckpris/i.test(question))).toEqual([])
})

it('begins with a figure of each table, and ranks what many rows point at, no vouchers of a row or two', async () => {
  const me = await signedIn({ app: createApp() })
  const customers = Array.from({ length: 4 }, (_, at) => `C${at},Customer ${at}`)
  const vouchers = Array.from({ length: 20 }, (_, at) => `V${at},Voucher ${at}`)
  const lines = Array.from(
    { length: 40 },
    (_, at) => `2024-${String(1 + (at % 12)).padStart(2, '0')}-10,C${at % 4},V${at % 20},${at}`,
  )
  const keyed = (label: string) => [textColumn(0, label), textColumn(1, 'Name')]
  const load = (rows: string[], header: string, columns: FileColumn[], name: string) =>
    createLoadedSource(me, [header, ...rows].join('\n'), { columns, name })
  const sales = await load(
    lines,
    'Day,Customer,Voucher,Sales',
    [dayColumn(0, 'Day'), textColumn(1, 'Customer'), textColumn(2, 'Voucher'), amountColumn(3, 'Sales')],
    'Lines',
  )
  const costs = await load(
    lines.map((line) => line.replace(/,V\d+/, '')),
    'Day,Customer,Costs',
    [dayColumn(0, 'Day'), textColumn(1, 'Customer'), amountColumn(2, 'Costs')],
    'Purchases',
  )
  for (const [rows, key, name] of [
    [vouchers, 'c2', 'Vouchers'],
    [customers, 'c1', 'Customers'],
  ] as const) {
    const { datasetId } = await load([...rows], 'Key,Name', keyed('Key'), name)
    await post(me, '/api/relations', { from: { datasetId: sales.datasetId, key }, to: { datasetId, key: 'c0' } })
  }
  for (const [name, formula] of [
    ['Sales', 'sum([Sales])'],
    ['Best sale', 'max([Sales])'],
    ['Least sale', 'min([Sales])'],
  ])
    await post(me, '/api/metrics', {
      name,
      dataset: sales.datasetId,
      formula,
      time: { dataset: sales.datasetId, column: 'c0' },
    })
  await post(me, '/api/metrics', {
    name: 'Costs',
    dataset: costs.datasetId,
    formula: 'sum([Costs])',
    time: { dataset: costs.datasetId, column: 'c0' },
  })
  const { items } = await (await me.fetch('/api/bot/suggestions')).json<BotSuggestions>()
  expect(items.slice(0, 2)).toEqual(['Best sale by month', 'Top 5 Customer by Costs'])
  expect(items).toContain('Top 5 customers by best sale')
  expect(items.filter((question) => /voucher/i.test(question))).toEqual([])
})

it('goes on by what a business is organised by, not by lines of addresses', async () => {
  const me = await signedIn({ app: createApp() })
  const rows = Array.from({ length: 24 }, (_, at) => {
    const [floor, state, line] = [['1', '2'][at % 2], ['Open', 'Paid'][at % 2], ['Cars', 'Ships', 'Trains'][at % 3]]
    return `2024-${String(1 + (at % 12)).padStart(2, '0')}-10,Level ${floor},${state},${line},${100 + at}`
  })
  await createLoadedSource(me, ['Day,address_line2,state_of_it,product_line,Sales', ...rows].join('\n'), {
    columns: [
      dayColumn(0, 'Day'),
      ...['address_line2', 'state_of_it', 'product_line'].map((label, at) => textColumn(at + 1, label)),
      amountColumn(4, 'Sales'),
    ],
  })
  const { followUps } = await askBotAs(me, 'total sales')
  expect(followUps).toContain('By product line')
  expect(followUps.join()).not.toContain('address')
})
