const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Networks of version 4 that no public server is in: first address and length of the prefix. */
const PRIVATE_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Of version 6 only `2000::/3` is public, and of that not these: they lead to addresses of version 4, or nowhere. */
const RESERVED_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

/** The number of a dotted address; null where a text is none. */
function parseV4(text: string): number | null {
  const parts = V4.exec(text)?.slice(1).map(Number)
  if (!parts || parts.some((part) => part > 255)) return null
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** The eight groups of an address of version 6, without brackets and zone; null where a text is none. */
function parseV6(text: string): number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const v4 = dotted?.[2] === undefined ? null : parseV4(dotted[2])
  if (dotted && v4 === null) return null
  const hex =
    v4 === null ? text : `${dotted?.[1] ?? ''}${Math.floor(v4 / 65_536).toString(16)}:${(v4 % 65_536).toString(16)}`
  const halves = hex.split('::')
  if (halves.length > 2) return null
  const groupsOf = (half: string | undefined): string[] => (half === undefined || half === '' ? [] : half.split(':'))
  const [left, right] = [groupsOf(halves[0]), groupsOf(halves[1])]
  const zeros = 8 - left.length - right.length
  if (halves.length === 1 ? zeros !== 0 : zeros < 1) return null
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.map((group) => Number.parseInt(group, 16))
}

const bitsOf = (groups: number[]): bigint => groups.reduce((sum, group) => (sum << 16n) + BigInt(group), 0n)

const isInV4 = (address: number, [first, length]: [string, number]): boolean => {
  const size = 2 ** (32 - length)
  return Math.floor(address / size) === Math.floor((parseV4(first) ?? 0) / size)
}
const isInV6 = (address: bigint, first: string, length: number): boolean => {
  const shift = BigInt(128 - length)
  return address >> shift === bitsOf(parseV6(first) ?? []) >> shift
}

/** Whether a text is an address at all, of either version; those of version 6 with or without brackets. */
export const isAddress = (text: string): boolean =>
  parseV4(text) !== null || parseV6(text.replace(/^\[|\]$/g, '')) !== null

/** Whether an address is one of the public internet. Anything that is no address is not. */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '').toLowerCase()
  const v4 = parseV4(bare)
  if (v4 !== null) return !PRIVATE_V4.some((network) => isInV4(v4, network))
  const v6 = parseV6(bare)
  if (v6 === null) return false
  const bits = bitsOf(v6)
  return isInV6(bits, '2000::', 3) && !RESERVED_V6.some(([first, length]) => isInV6(bits, first, length))
}
