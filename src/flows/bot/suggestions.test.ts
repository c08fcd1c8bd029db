import { expect, it } from 'vitest'
import { createApp } from '../../app'
import { signedIn } from '../../../test/worker/factories'
import { amountColumn, createLoadedSource, dayColumn, textColumn } from '../../../test/worker/loads'
import type { BotSuggestions } from '../../shared/bot/conversations'

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
