import { describe, expect, it } from 'vitest'
import { sampleRows } from './sample-rows'

const ROW = '1,2\n'
const WINDOW_ROWS = (1024 * 1024) / ROW.length

describe('a sample of a file too large to be read in full', () => {
  it('holds every row of a window, however many it has', () => {
    const [head, tail] = [100, WINDOW_ROWS].map((rows) => new TextEncoder().encode(ROW.repeat(rows)))
    if (!head || !tail) throw new Error('no windows')
    const found = sampleRows(
      { fileName: 'narrow.csv', size: 50_000_000, head, tail },
      { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0 },
      { width: 2, previewRows: 10 },
    )
    // The window is cut anywhere: its first row may be the rest of one.
    expect(found.windowRows).toHaveLength(WINDOW_ROWS - 1)
    expect(found.windowRows.at(-1)).toEqual(['1', '2'])
  })
})
