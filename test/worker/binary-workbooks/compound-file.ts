import { concatBytes } from '../../../src/lib/concat-bytes'
import { packed, utf16, type Field } from './bytes'

const SECTOR = 512
const SMALL_SECTOR = 64
const SMALL_STREAM = 4096
const [FREE, END, TABLE_SECTOR] = [0xffffffff, 0xfffffffe, 0xfffffffd]

interface Layout {
  /** What lies in the sectors, one behind the other. */
  sectors: Uint8Array[]
  next: number[]
}

function place(layout: Layout, bytes: Uint8Array): number {
  if (bytes.length === 0) return END
  const start = layout.sectors.length
  const count = Math.ceil(bytes.length / SECTOR)
  for (let n = 0; n < count; n++) {
    const sector = new Uint8Array(SECTOR)
    sector.set(bytes.subarray(n * SECTOR, (n + 1) * SECTOR))
    layout.sectors.push(sector)
    layout.next.push(n + 1 < count ? start + n + 1 : END)
  }
  return start
}

const words = (values: readonly number[]): Uint8Array => packed(...values.map((value): Field => [4, value]))

interface Entry {
  name: string
  type: number
  right?: number
  child?: number
  start: number
  size: number
}
const entryBytes = ({ name, type, right = FREE, child = FREE, start, size }: Entry): Uint8Array => {
  const bytes = new Uint8Array(128)
  bytes.set(utf16(name))
  bytes.set(packed([2, (name.length + 1) * 2], [1, type], [1, 1], [4, FREE], [4, right], [4, child]), 64)
  bytes.set(packed([4, start], [4, size]), 116)
  return bytes
}

/** A compound file with these streams at its top; those under 4 kB lie in small sectors. */
export function compoundFileOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const layout: Layout = { sectors: [], next: [] }
  const small: { bytes: Uint8Array[]; next: number[] } = { bytes: [], next: [] }
  const entries = Object.entries(streams).map(([name, bytes], n, all): Entry => {
    const right = n + 1 < all.length ? n + 2 : FREE
    if (bytes.length >= SMALL_STREAM || bytes.length === 0)
      return { name, type: 2, right, start: place(layout, bytes), size: bytes.length }
    const start = small.next.length
    const padded = new Uint8Array(Math.ceil(bytes.length / SMALL_SECTOR) * SMALL_SECTOR)
    padded.set(bytes)
    small.bytes.push(padded)
    const count = padded.length / SMALL_SECTOR
    for (let k = 1; k <= count; k++) small.next.push(k < count ? start + k : END)
    return { name, type: 2, right, start, size: bytes.length }
  })
  const smallBytes = concatBytes(small.bytes)
  const root = { name: 'Root Entry', type: 5, child: 1, start: place(layout, smallBytes), size: smallBytes.length }
  const directory = place(layout, concatBytes([root, ...entries].map(entryBytes)))
  const smallTable = place(layout, small.next.length === 0 ? new Uint8Array() : words(small.next))
  return assemble(layout, { directory, smallTable, smallTableSectors: Math.ceil((small.next.length * 4) / SECTOR) })
}

function assemble(
  layout: Layout,
  at: { directory: number; smallTable: number; smallTableSectors: number },
): Uint8Array {
  const perSector = SECTOR / 4
  const data = layout.sectors.length
  let tables = 1
  while (tables * perSector < data + tables) tables++
  if (tables > 109) throw new Error('too large for a header of 109 sectors')
  const next = [...layout.next, ...Array.from({ length: tables }, () => TABLE_SECTOR)]
  while (next.length < tables * perSector) next.push(FREE)
  const header = new Uint8Array(SECTOR)
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  header.set(packed([2, 0x3e], [2, 3], [2, 0xfffe], [2, 9], [2, 6]), 24)
  header.set(packed([4, 0], [4, tables], [4, at.directory], [4, 0], [4, SMALL_STREAM]), 40)
  header.set(packed([4, at.smallTable], [4, at.smallTableSectors], [4, END], [4, 0]), 60)
  header.set(words(Array.from({ length: 109 }, (_, n) => (n < tables ? data + n : FREE))), 76)
  return concatBytes([header, ...layout.sectors, words(next)])
}
