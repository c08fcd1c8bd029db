type ExportRow = Record<string, unknown>

/** Reads the rows after a place, in the order of `cursor`, a whole number that each of them has. */
export type ReadPage = (after: number) => Promise<ExportRow[]>

/**
 * A list as JSON, read while it is written: however much there is of it, a page at a time is held. `shown` is what is
 * written of a row.
 */
export async function* streamJsonArray(
  page: ReadPage,
  shown: (exportRow: ExportRow) => unknown,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '['
  for (let after = 0; ;) {
    const rows = await page(after)
    const last = rows.at(-1)?.['cursor']
    if (typeof last !== 'number') break
    const items = rows.map(({ cursor: _cursor, ...row }) => {
      const item = `${before}\n  ${JSON.stringify(shown(row), null, 2).replaceAll('\n', '\n  ')}`
      before = ','
      return item
    })
    yield encoder.encode(items.join(''))
    after = last
  }
  yield encoder.encode(before === '[' ? '[]\n' : '\n]\n')
}
