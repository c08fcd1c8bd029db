import { readXlsx } from 'hucre/xlsx'
import { expect, it } from 'vitest'
import { writeWorkbook } from './write-workbook'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'

const textBlock = (id: string, text: string): DocumentBlock => ({
  block: { id, kind: 'text', place: { x: 0, y: 0, w: 12, h: 3 }, text },
  answer: { block: id, content: { kind: 'text', tokens: {} } },
})
const documentOf = (...blocks: DocumentBlock[]): ReportDocument => ({
  ...{ v: 1, report: { id: 'rep_1', kind: 'legacy', name: 'Month-end pack', description: '' }, workspace: 'Walk AB' },
  ...{ n: 0, period: null, filters: [], dataAsOf: null, note: '', madeBy: 'Karin', madeAt: '2026-01-05T08:00:00Z' },
  notation: { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' },
  ...{ datasets: [], pages: [{ id: 'page01', name: 'Pack', blocks }] },
})

it('has no sheet for a text that nobody has written yet', async () => {
  const document = documentOf(textBlock('words1', ''), textBlock('words2', 'Checked.'), textBlock('words3', ' '))
  const bytes = new Uint8Array(await new Response(writeWorkbook(document)).arrayBuffer())
  const { sheets } = await readXlsx(bytes)
  expect(sheets.map(({ name }) => name)).toEqual(['About', 'Text'])
  expect(sheets[1]?.rows).toEqual([['Checked.']])
})
