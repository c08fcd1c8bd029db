import { editDistance } from '../edit-distance'

/**
 * Spellings that look alike. A value is compared only with those it shares a block with (neighbours in the alphabet from
 * either end, and holders of the same rare word), so that 20,000 of them take about a second, whatever they are.
 */

/** A value, what it weighs (more is more likely the right spelling), and its group when it has one. */
export interface Spelling {
  text: string
  weight: number
  groupId: string | null
}
export interface SimilarSpellings {
  /** The group of the spelling that the others look like; null: they have none. */
  groupId: string | null
  name: string
  /** Without those that have a group. */
  members: Spelling[]
}

/** Share of signs that may differ: one in a word of seven. */
const DIFFERENT_MAX = 0.15
/** Share of words that must be the same, when there are several. */
const WORDS_SAME_MIN = 0.75
const NEIGHBOURS = 6
/** Holders of a word; words that more have tell nothing apart. */
const RARE_MAX = 24
const MIN_LENGTH = 4
/** Longer texts are sentences: they have no spelling. */
const SPELLING_MAX_CHARS = 200
/** Others that one is compared with. */
const NEAR_MAX = 100
/** Places of texts held against each other, all comparisons together: some tenths of a second. */
const COMPARED_PLACES_MAX = 20_000_000
/** Forms of companies, which are left out as often as not. */
const LEGAL_FORMS = new Set(
  'ab aktiebolag inc ltd limited gmbh as asa oy oyj aps llc co corp corporation sa bv nv plc kg hb the'.split(' '),
)

interface SpellingNode {
  spelling: Spelling
  /** Words without accents, signs and forms. */
  words: string[]
  key: string
  digits: string
}

function spellingNode(spelling: Spelling): SpellingNode {
  const flat = spelling.text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const all = flat.match(/[\p{L}\p{N}]+/gu) ?? []
  const words = all.filter((word) => !LEGAL_FORMS.has(word))
  const kept = words.length > 0 ? words : all
  const key = kept.join('')
  return { spelling, words: kept, key, digits: key.replace(/\P{N}/gu, '') }
}

/** What comparing may still take, in places of texts held against each other. */
interface ComparisonBudget {
  left: number
}

/** Past the budget only texts that share their words are alike. */
function areSimilar(a: SpellingNode, b: SpellingNode, budget: ComparisonBudget): boolean {
  // Numbers tell things apart: “Store 1” is not “Store 2”.
  if (a.digits !== b.digits || a.key === '' || b.key === '') return false
  if (a.key === b.key) return true
  const [shorter, longer] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words]
  if (longer.length > 1) {
    const held = new Set(longer)
    const shared = new Set(shorter.filter((word) => held.has(word))).size
    if (shared / new Set([...shorter, ...longer]).size >= WORDS_SAME_MIN) return true
  }
  const length = Math.max(a.key.length, b.key.length)
  const most = Math.floor(length * DIFFERENT_MAX)
  if (length < MIN_LENGTH || most === 0 || budget.left <= 0) return false
  const spend = (pairs: number): void => void (budget.left -= pairs)
  return editDistance(a.key, b.key, most, spend) <= most
}

/** Pairs worth comparing, as neighbours of each node. */
function candidatePairs(nodes: readonly SpellingNode[]): Set<number>[] {
  const near = nodes.map(() => new Set<number>())
  const add = (set: Set<number> | undefined, other: number): void => {
    if (set && set.size < NEAR_MAX) set.add(other)
  }
  const pair = (a: number, b: number): void => {
    add(near[a], b)
    add(near[b], a)
  }
  const keyed = nodes.map(({ key, words }, i) => ({
    i,
    forward: key,
    backward: Array.from(key).toReversed().join(''),
    sorted: words.toSorted().join(''),
  }))
  for (const by of ['forward', 'backward', 'sorted'] as const) {
    const order = keyed.toSorted((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0))
    order.forEach(({ i }, at) => {
      for (const other of order.slice(at + 1, at + 1 + NEIGHBOURS)) pair(i, other.i)
    })
  }
  const holders = new Map<string, number[]>()
  nodes.forEach(({ words }, i) => {
    for (const word of new Set(words))
      if (word.length >= MIN_LENGTH) holders.set(word, [...(holders.get(word) ?? []).slice(0, RARE_MAX), i])
  })
  for (const list of holders.values())
    if (list.length <= RARE_MAX) list.forEach((a, at) => list.slice(at + 1).forEach((b) => pair(a, b)))
  return near
}

/**
 * Groups of look-alikes around the heaviest spelling of each; those that have a group come first and take others in. Ones
 * that look like nothing are left out. Never more than a suggestion.
 */
export function groupSimilarSpellings(spellings: readonly Spelling[]): SimilarSpellings[] {
  const same = new Map<string, SpellingNode[]>()
  for (const node of spellings.filter(({ text }) => text.length <= SPELLING_MAX_CHARS).map(spellingNode)) {
    const id = `${node.spelling.groupId ?? ''} ${node.key}`
    const list = same.get(id)
    if (list) list.push(node)
    else same.set(id, [node])
  }
  // One for all that are written the same but for signs and accents.
  const heads = [...same.values()].map((list) => {
    const sorted = list.toSorted((a, b) => b.spelling.weight - a.spelling.weight)
    return { node: sorted[0], list: sorted }
  })
  const nodes = heads.flatMap(({ node }) => node ?? [])
  const near = candidatePairs(nodes)
  const weight = (i: number): number => nodes[i]?.spelling.weight ?? 0
  const hasGroup = (i: number): number => (nodes[i]?.spelling.groupId === null ? 1 : 0)
  const order = nodes.map((_, i) => i).toSorted((a, b) => hasGroup(a) - hasGroup(b) || weight(b) - weight(a) || a - b)
  const taken = new Set<number>()
  const budget: ComparisonBudget = { left: COMPARED_PLACES_MAX }
  const found: SimilarSpellings[] = []
  for (const i of order) {
    const center = nodes[i]
    if (!center || taken.has(i)) continue
    const others = [...(near[i] ?? [])].filter((n) => {
      const other = nodes[n]
      return (
        other !== undefined && !taken.has(n) && other.spelling.groupId === null && areSimilar(center, other, budget)
      )
    })
    const own = center.spelling.groupId === null ? [i] : []
    const members = [...own, ...others].flatMap((n) => heads[n]?.list.map(({ spelling }) => spelling) ?? [])
    if (members.length < (own.length > 0 ? 2 : 1)) continue
    for (const n of [...own, ...others]) taken.add(n)
    found.push({ groupId: center.spelling.groupId, name: center.spelling.text, members })
  }
  return found
}
