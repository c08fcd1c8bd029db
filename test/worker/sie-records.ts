/** A SIE 4 file taken apart by hand, for judging what the generator writes without the product's own reader. */
export interface SieRecords {
  values: Map<string, string[]>
  opening: Map<string, number>
  closing: Map<string, number>
  results: Map<string, number>
  vouchers: { series: string; number: number; date: string; rows: { account: string; ore: number }[] }[]
}

const ore = (text: string): number => {
  const [, sign, whole, part] = /^(-?)(\d+)\.(\d\d)$/.exec(text) ?? []
  if (whole === undefined || part === undefined) throw new Error(`not an amount: ${text}`)
  return (sign === '-' ? -1 : 1) * (Number(whole) * 100 + Number(part))
}
const words = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|\{([^}]*)\}|(\S+)/g)].map(([, text, list, word]) => text ?? list ?? word ?? '')

/** The balances of year 0 and its vouchers. */
export function readSie(bytes: Uint8Array): SieRecords {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const file: SieRecords = {
    values: new Map(),
    opening: new Map(),
    closing: new Map(),
    results: new Map(),
    vouchers: [],
  }
  for (const line of text.split('\r\n')) {
    const [label = '', ...rest] = words(line.trim())
    const [first = '', second = '', third = '', fourth = ''] = rest
    const balances = { '#IB': file.opening, '#UB': file.closing, '#RES': file.results }[label]
    if (balances) {
      if (first === '0') balances.set(second, ore(third))
    } else if (label === '#VER') file.vouchers.push({ series: first, number: Number(second), date: third, rows: [] })
    else if (label === '#TRANS') file.vouchers.at(-1)?.rows.push({ account: first, ore: ore(third) })
    else if (label.startsWith('#') && !file.values.has(label)) file.values.set(label, [first, second, third, fourth])
  }
  return file
}
