import { CHUNK_ROWS } from '../chunk'
import type { FactRows } from '../folds/fact-folds'
import { pacing } from '../pacing'
import type { ComparisonSide, KeyValue, Split } from '../splits'
import type { TextVectors } from '../column-vectors'
import type { ChunkPlace, MaybeMask } from '../vectors'
import type { PlanSplit } from '../../query/aggregates/plan-splits'
import { queryTooComplex } from '../../query/plan/plan-errors'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { Field } from '../../../shared/query/field'

/** Keys whose names are held at a time. */
const NAMES_MAX = 500_000
/** A key that no row has met; 0 is one whose rows have no text. */
const UNMET = -1

/** What is met of one split of one fact: for each ordinal the code of its text. */
class MetTexts {
  #codes = new Int32Array(64).fill(UNMET)
  readonly #ordinals = new Int32Array(CHUNK_ROWS)

  add(
    { split, texts }: { split: Split; texts: TextVectors },
    at: { place: ChunkPlace; side: ComparisonSide; mask: MaybeMask },
  ) {
    const { place, side, mask } = at
    split.fill(place, side, this.#ordinals)
    const [passes, codes] = [mask?.(place), texts.codes()(place)]
    this.#grow(split.known())
    for (let row = 0; row < place.rows; row += 1) {
      const ordinal = this.#ordinals[row] ?? UNMET
      if (ordinal < 0 || passes?.[row] === 0) continue
      const [code, known] = [codes[row] ?? 0, this.#codes[ordinal]]
      if (code === known) continue
      if (code !== 0 && texts.wordAt(code) !== '') this.#codes[ordinal] = code
      else if (known === UNMET) this.#codes[ordinal] = 0
    }
  }
  #grow(size: number): void {
    if (size <= this.#codes.length) return
    const longer = new Int32Array(Math.max(size, this.#codes.length * 2)).fill(UNMET)
    longer.set(this.#codes)
    this.#codes = longer
  }
  codeOf(ordinal: number): number {
    return this.#codes[ordinal] ?? UNMET
  }
}

/** Looking at a row's key and its text, in rows of a sum. */
const NAME_WORK = 4

/** The texts of a fact's keys that rows of the answer have, the last row's that has one; those of the period go first. */
function* textsOfKeys(
  { source, sides }: FactRows,
  { split, label }: { split: Split; label: Field },
): QuerySteps<Map<KeyValue, string | null>> {
  const texts = source.field(label).texts()
  const met = new MetTexts()
  const isDue = pacing()
  for (const at of [1, 0] as const) {
    const side = sides[at]
    for (const [chunk, rows] of source.table.chunks.entries()) {
      if (side?.mayHold(chunk) === true)
        met.add({ split, texts }, { place: { chunk, rows }, side: at, mask: side.mask })
      if (isDue(rows * NAME_WORK)) yield
    }
  }
  const found = new Map<KeyValue, string | null>()
  const size = split.known()
  for (let ordinal = 0; ordinal < size; ordinal += 1) {
    const code = met.codeOf(ordinal)
    if (code !== UNMET && !split.isOther(ordinal))
      found.set(split.valueOf(ordinal), code === 0 ? null : texts.wordAt(code))
  }
  return found
}

/** Keys beside texts that several of them have; a key without a text is called as it stands. */
export function disambiguatedLabels(texts: ReadonlyMap<string | number, string | null>): Map<string | number, string> {
  const names = new Map([...texts].map(([key, text]) => [key, text === null || text === '' ? String(key) : text]))
  const keys = Map.groupBy(names.keys(), (key) => names.get(key) ?? '')
  const alike = (some: Iterable<string>): (string | number)[] =>
    [...some].flatMap((name) => {
      const own = keys.get(name) ?? []
      return own.length > 1 ? own : []
    })
  // Only names that were just given can be those of others: hostile ones would have all of them counted again and again.
  for (let open = alike(keys.keys()); open.length > 0;) {
    const given = new Set<string>()
    for (const key of open) {
      const name = names.get(key) ?? ''
      keys.delete(name)
      names.set(key, `${name} (${key})`)
    }
    for (const key of open) {
      const name = names.get(key) ?? ''
      keys.set(name, [...(keys.get(name) ?? []), key])
      given.add(name)
    }
    open = alike(given)
  }
  return names
}

/** The splits of an answer with what their keys are called. Of a key that several facts have, the first with a text counts. @throws ProductError `query_too_complex` for too many keys */
export function* namedSplits(
  dimensions: readonly PlanSplit[],
  facts: readonly FactRows[],
  splits: readonly (readonly Split[])[],
): QuerySteps<PlanSplit[]> {
  const named: PlanSplit[] = []
  for (const [at, dimension] of dimensions.entries()) {
    if (!dimension.label) {
      named.push(dimension)
      continue
    }
    const texts = new Map<string | number, string | null>()
    for (const [i, fact] of facts.entries()) {
      const split = splits[i]?.[at]
      if (!split) continue
      const own = yield* textsOfKeys(fact, { split, label: dimension.label.field })
      for (const [key, text] of own) if (key !== null) texts.set(key, texts.get(key) ?? text)
      if (texts.size > NAMES_MAX) throw queryTooComplex('groups', NAMES_MAX)
    }
    named.push({ ...dimension, names: disambiguatedLabels(texts) })
  }
  return named
}
