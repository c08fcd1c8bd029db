import { extractText, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { readFonts } from './fonts'
import { finishPaper, openPaper } from './paper'
import { drawTable, type PaperRow } from './paper-table'

it('ends no page with a row that introduces the next one', async () => {
  const paper = openPaper({
    ...{
      fonts: readFonts(),
      title: 'Ledger',
      author: 'Åkers Måleri AB',
      language: 'en-GB',
      foot: '',
      landscape: false,
    },
    ...{ createdAt: new Date(0), pageOf: () => '' },
  })
  const rows = Array.from({ length: 120 }, (_, at): PaperRow[] => [
    { cells: [`Class ${at}`, '1'], style: 'subtotal' },
    { cells: [`Account ${at}`, '1'], style: 'detail' },
  ]).flat()
  // A single row between them, and pages end with the one as with the other.
  const odd: PaperRow = { cells: ['Before', '1'], style: 'line' }
  drawTable(paper, {
    columns: ['Line', 'Actual'].map((head) => ({ heads: [head], align: 'right' })),
    rows: [...rows, odd, ...rows],
  })
  const { text } = await extractText(await getDocumentProxy(await finishPaper(paper)))
  const last = text.map((page) => /.*(Class|Account|Before) \d*/s.exec(page)?.[1])
  expect(text.length).toBeGreaterThan(4)
  expect(last).not.toContain('Class')
})
