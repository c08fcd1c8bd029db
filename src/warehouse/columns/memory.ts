/** What a question holds at a time, at most. What comes to more is answered in several passes over the rows. */
export interface MemoryBounds {
  /** Groups that are numbered as they are met. */
  groups: number
  /** Figures by group, some sixteen bytes each. */
  cells: number
  /** Groups that are sorted at a time, some half a kilobyte each; at least as many as are on a page. */
  sorted: number
  /** Values that percentiles sort: twelve bytes each, and eight more while they are sorted. */
  values: number
  /** Pairs of a group and a value that are told apart, some forty bytes each. */
  pairs: number
  /** Pairs of a group and a code that have a byte each, met or not. */
  marks: number
  /** Texts without a dictionary that are numbered, and the bytes of all of them. */
  texts: number
  textBytes: number
  /** Of vectors, and of the keys and columns of related rows. */
  vectorBytes: number
}

export const MEMORY: MemoryBounds = {
  groups: 2 ** 19,
  cells: 3_000_000,
  sorted: 2 ** 15,
  values: 2 ** 21,
  pairs: 2 ** 20,
  marks: 2 ** 23,
  texts: 2 ** 20,
  textBytes: 32 * 2 ** 20,
  vectorBytes: 64 * 2 ** 20,
}

/** The bounds of one of several that hold values at the same time. */
export const sharedBy = (memory: MemoryBounds, holders: number): MemoryBounds => {
  const part = (all: number): number => Math.max(1, Math.floor(all / Math.max(1, holders)))
  const { values, pairs, marks, textBytes } = memory
  return { ...memory, values: part(values), pairs: part(pairs), marks: part(marks), textBytes: part(textBytes) }
}

/**
 * Thrown where an answer would take more than a question may have, or exact numbers past what columns work out, and never
 * further than `answered`.
 */
export class ExceedsBounds extends Error {
  /** What it may have; absent where no number says it. */
  readonly max: number | undefined
  constructor(max?: number) {
    super('It is more than a question may have.')
    this.max = max
  }
}

/** Thrown where a question would hold more than its bounds: its figures are then worked out one by one. */
export class ExceedsMemory extends ExceedsBounds {}
/** The same for what depends on how many groups there are: they are worked out a share of them at a time. */
export class TooManyGroups extends ExceedsMemory {}
