import type { QuerySteps } from '../scheduling/query-scheduler'

/**
 * Arrays that something works in, at least as long as asked for, each to be written before it is read: what was there
 * before may still stand in it.
 */
export interface WorkingArrays {
  numbers: (length: number) => Float64Array
  codes: (length: number) => Int32Array
  marks: (length: number) => Uint8Array
}
const NEW_ARRAYS: WorkingArrays = {
  numbers: (length) => new Float64Array(length),
  codes: (length) => new Int32Array(length),
  marks: (length) => new Uint8Array(length),
}

/** Of the question whose piece runs: pieces of several take turns. */
let current: WorkingArrays | null = null

/**
 * Where what is made now takes arrays from, as long as it is used. What is made outside of a question has its own: it may
 * outlive any of them.
 */
export const workingArrays = (): WorkingArrays => current ?? NEW_ARRAYS

/** Arrays of a kind that are kept, and that a question gives back, at most. Of a full chunk, 12 numbers are six megabytes. */
const KEPT_MAX = 12

/** Arrays of one kind that no question works in. */
class SpareKind<T extends { length: number }> {
  readonly #make: (length: number) => T
  #spare: T[] = []

  constructor(make: (length: number) => T) {
    this.#make = make
  }
  /** @param taken to which it is added, if it is to be given back */
  take(length: number, taken: T[]): T {
    const at = this.#shortest(length)
    const [found] = at === -1 ? [] : this.#spare.splice(at, 1)
    const array = found ?? this.#make(length)
    // What goes beyond is let go as soon as nothing uses it.
    if (taken.length < KEPT_MAX) taken.push(array)
    return array
  }
  /** Of those that are as long: rows that are picked are a little more or less each time. */
  #shortest(length: number): number {
    let best = -1
    for (const [at, array] of this.#spare.entries())
      if (array.length >= length && (best === -1 || array.length < (this.#spare[best]?.length ?? 0))) best = at
    return best
  }
  /** Those that were given first make room. */
  give(arrays: readonly T[]): void {
    this.#spare = [...this.#spare, ...arrays].slice(-KEPT_MAX)
  }
  clear(): void {
    this.#spare = []
  }
}

/**
 * Arrays that questions work in, kept from one to the next. Memory beside the heap that is taken and let go makes V8
 * collect all of the heap whenever some tens of megabytes came together: that was every twentieth question, for 20 to 60
 * milliseconds.
 */
export class SpareArrays {
  readonly #numbers = new SpareKind(NEW_ARRAYS.numbers)
  readonly #codes = new SpareKind(NEW_ARRAYS.codes)
  readonly #marks = new SpareKind(NEW_ARRAYS.marks)

  clear(): void {
    for (const spare of [this.#numbers, this.#codes, this.#marks]) spare.clear()
  }

  /** Works a question out with them. One that is left half done gives nothing back. */
  *lentTo<T>(question: QuerySteps<T>): QuerySteps<T> {
    const taken: { numbers: Float64Array[]; codes: Int32Array[]; marks: Uint8Array[] } = {
      ...{ numbers: [], codes: [], marks: [] },
    }
    const lent: WorkingArrays = {
      numbers: (length) => this.#numbers.take(length, taken.numbers),
      codes: (length) => this.#codes.take(length, taken.codes),
      marks: (length) => this.#marks.take(length, taken.marks),
    }
    try {
      for (;;) {
        const { done, value } = pieceWith(lent, question)
        if (done === true) return value
        yield value
      }
    } finally {
      this.#numbers.give(taken.numbers)
      this.#codes.give(taken.codes)
      this.#marks.give(taken.marks)
    }
  }
}

function pieceWith<T>(lent: WorkingArrays, question: QuerySteps<T>): ReturnType<QuerySteps<T>['next']> {
  const before = current
  current = lent
  try {
    return question.next()
  } finally {
    current = before
  }
}
