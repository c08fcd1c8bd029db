import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import type { CellLook } from './xlsx-parts'
import { createXlsxStream } from './xlsx-writer'

it('gives cells the looks that their rows name, folds rows away and fits the page', async () => {
  const total: CellLook = { bold: true, border: 'total', numberFormat: '#,##0.00_);(#,##0.00)' }
  const label: CellLook = { indent: 2 }
  const sheet = {
    ...{ name: 'Statement', columns: [{ width: 40 }, { width: 16 }], looks: [total, label], page: 'portrait' as const },
    rows: [{ cells: ['Sales', 12.5], looks: [label, total], outline: 1 }, ['plain', 1]],
    frozen: { rows: 3, columns: 1 },
  }
  const bytes = new Uint8Array(await new Response(createXlsxStream([sheet])).arrayBuffer())
  const parts = unzipSync(bytes)
  const part = (path: string): string => strFromU8(parts[path] ?? new Uint8Array())
  const [xml, styles] = [part('xl/worksheets/sheet1.xml'), part('xl/styles.xml')]
  // The styles of the cells: of their order in the list, plain and heading come first.
  expect(xml).toMatch(/<row r="1" outlineLevel="1"><c r="A1" t="inlineStr" s="3">.*<c r="B1" s="2"><v>12.5/)
  expect(xml).toContain('<row r="2"><c r="A2" t="inlineStr"><is>')
  expect(xml).toContain('topLeftCell="B4"')
  expect(xml).toContain('orientation="portrait" fitToWidth="1"')
  const looks = [...styles.matchAll(/<xf [^>]*?(?:\/>|>.*?<\/xf>)/g)].map(([text]) => text).slice(1)
  expect(looks).toHaveLength(4)
  expect(looks[2]).toMatch(/numFmtId="164" fontId="1" fillId="0" borderId="2"/)
  expect(looks[3]).toContain('<alignment horizontal="left" indent="2"/>')
})
