import { SUM_DECIMALS } from './values'

/** Decimals of amounts that are added as plain numbers. */
export const PLAIN_DECIMALS = 4
/** Below it plain numbers are exact, with room for one more of {@link PLAIN_MAX}. */
const HELD_MAX = 8e15
/** The largest of them, in units of 10^-{@link PLAIN_DECIMALS}. */
export const PLAIN_MAX = 1e15
const UNITS_OF_PLAIN = 10n ** BigInt(SUM_DECIMALS - PLAIN_DECIMALS)

/** A sum of amounts that is exact, and quick for those of a common size. */
export class ExactSum {
  #units = 0n
  #held = 0

  add(units: bigint): void {
    this.#units += units
  }

  /** An amount in units of 10^-{@link PLAIN_DECIMALS}, at most {@link PLAIN_MAX}. */
  addPlain(amount: number): void {
    this.#held += amount
    if (this.#held > HELD_MAX || this.#held < -HELD_MAX) this.#settle()
  }

  /** Units of 10^-{@link SUM_DECIMALS}. */
  get units(): bigint {
    this.#settle()
    return this.#units
  }

  get isZero(): boolean {
    return this.#units === 0n ? this.#held === 0 : this.units === 0n
  }

  #settle(): void {
    if (this.#held === 0) return
    this.#units += BigInt(this.#held) * UNITS_OF_PLAIN
    this.#held = 0
  }
}
