import type { ColumnHint } from '../../shared/files'
import { ScalarStats } from '../nested/scalar-stats'
import type { ValueFormatter, PhysicalValue } from './leaf-text'

/** A column's texts, watched where its type depends on them. */
export class ColumnTypeTracker {
  private readonly stats = new ScalarStats()
  /** Values that are no number. */
  nonFiniteCount = 0
  /** Pages that are not what their checksum says. */
  checksumErrorCount = 0
  readonly leaf: ValueFormatter

  constructor(private readonly base: ValueFormatter) {
    this.leaf = { ...base, text: (value) => this.text(value) }
  }

  /** The declared type; text where numbers are past what is exact, or all texts are digits. */
  hint(): Pick<ColumnHint, 'type' | 'scale' | 'zoned'> {
    const { check, hint } = this.base
    if (!check) return hint
    const seen = this.stats.typeHint()
    if (check === 'strings') return seen
    return seen.type === 'text' ? { type: 'text' } : { ...hint, ...(seen.scale === undefined ? {} : seen) }
  }

  private text(value: PhysicalValue): string | null {
    const { base } = this
    const text = base.text(value)
    if (text === null) this.nonFiniteCount++
    else if (base.check) this.stats.add({ kind: base.check === 'strings' ? 'string' : 'number', text })
    return text
  }
}
