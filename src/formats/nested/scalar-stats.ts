import type { ColumnHint } from '../../shared/files'
import type { NestedScalar } from './value'

/** Digits that a double keeps whatever they are. */
const DOUBLE_DIGITS = 17
const SAFE_DIGITS = 15
const SCALE_MAX = 4
const PLAIN_NUMBER = /^-?(\d+)(?:\.(\d+))?$/
const DIGITS = /^\d+$/

/** What the single values of one column were, over all rows. */
export class ScalarStats {
  booleans = 0
  numbers = 0
  strings = 0
  /** Strings of digits alone: written as text on purpose. */
  private digitStrings = 0
  private whole = true
  private exponents = false
  private decimals = 0
  private wholeDigits = 0
  private exceedsPrecision = false

  add({ kind, text }: NestedScalar): void {
    if (kind === 'number') this.addNumber(text)
    else if (kind === 'string') {
      this.strings++
      if (DIGITS.test(text)) this.digitStrings++
    } else if (kind === 'boolean') this.booleans++
  }

  get filled(): number {
    return this.booleans + this.numbers + this.strings
  }

  /**
   * The type when all values are of one kind; none for strings, whose texts are looked at like any other's. A string
   * of digits, and a number that no double can hold, stay text.
   */
  typeHint(): Pick<ColumnHint, 'type' | 'scale'> {
    const { filled } = this
    if (filled === 0) return {}
    if (this.booleans === filled) return { type: 'boolean' }
    if (this.numbers === filled) return this.numberHint()
    if (this.strings === filled) return this.digitStrings === filled ? { type: 'text' } : {}
    return this.strings > 0 && this.booleans === 0 ? {} : { type: 'text' }
  }

  private addNumber(text: string): void {
    this.numbers++
    const match = PLAIN_NUMBER.exec(text)
    if (!match) {
      this.exponents = true
      this.whole = false
      if (text.replace(/e.*$/i, '').replace(/\D/g, '').length > DOUBLE_DIGITS) this.exceedsPrecision = true
      return
    }
    const [, whole = '', fraction = ''] = match
    if (fraction !== '') this.whole = false
    this.decimals = Math.max(this.decimals, fraction.length)
    this.wholeDigits = Math.max(this.wholeDigits, whole.length)
    if (
      fraction === ''
        ? whole.length > SAFE_DIGITS && !Number.isSafeInteger(Number(text))
        : exceedsDoublePrecision(whole, fraction)
    )
      this.exceedsPrecision = true
  }

  private numberHint(): Pick<ColumnHint, 'type' | 'scale'> {
    if (this.exceedsPrecision) return { type: 'text' }
    if (this.whole) return { type: 'integer' }
    if (this.exponents || this.decimals > SCALE_MAX || this.wholeDigits + this.decimals > SAFE_DIGITS)
      return { type: 'number' }
    return { type: 'number', scale: this.decimals }
  }
}

function exceedsDoublePrecision(whole: string, fraction: string): boolean {
  if (whole.length + fraction.length <= DOUBLE_DIGITS) return false
  return (whole + fraction).replace(/^0+/, '').replace(/0+$/, '').length > DOUBLE_DIGITS
}
