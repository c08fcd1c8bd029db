import { useMemo } from 'react'
import { parseRowFormula } from '../../../../src/shared/formula/formula'
import { inBrackets, ROW_FUNCTIONS, type FormulaNames } from '../../../../src/shared/formula/names'
import { FORMULA_MAX_CHARS } from '../../../../src/shared/formula/parse'
import { printRowFormula } from '../../../../src/shared/formula/print'
import type { Expr } from '../../../../src/shared/query/plan'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { Completion } from '../../../ui/formula/completion'
import { FormulaInput } from '../../../ui/formula/formula-input'
import { toFormulaDraft, type FormulaDraft } from './formula-draft'

/** The names that a formula over the rows of one table may hold. */
const namesOf = ({ id, name }: Pick<Dataset, 'id' | 'name'>, columns: readonly Column[]): FormulaNames => ({
  dataset: { id, name, columns },
  related: [],
  metrics: [],
})

/** A stored formula for the editor, as fields where they can hold it and as text otherwise; null where neither can. */
export function storedFormulaDraft(expr: Expr, dataset: Dataset): FormulaDraft | null {
  const fields = toFormulaDraft(expr)
  const text = fields ? null : printRowFormula(expr, namesOf(dataset, dataset.columns))
  return fields ?? (text === null ? null : { kind: 'formula', text, expr })
}

interface FormulaTextProps {
  draft: FormulaDraft & { kind: 'formula' }
  dataset: Pick<Dataset, 'id' | 'name'>
  columns: readonly Column[]
  onChange: (draft: FormulaDraft) => void
}

/** A formula in the language of metrics, worked out for each row. */
export function FormulaText({ draft, dataset, columns, onChange }: FormulaTextProps) {
  const names = useMemo(() => namesOf(dataset, columns), [dataset, columns])
  const read = useMemo(() => parseRowFormula(draft.text, names), [draft.text, names])
  const completions: Completion[] = [
    ...columns.map(({ label }): Completion => ({ kind: 'column', name: label, text: inBrackets(label) })),
    ...ROW_FUNCTIONS.map((name): Completion => ({ kind: 'function', name, text: `${name}(` })),
  ]
  const change = (text: string): void => {
    const next = parseRowFormula(text, names)
    onChange({ kind: 'formula', text, expr: next.ok ? next.expr : null })
  }
  return (
    <FormulaInput
      value={draft.text}
      onChange={change}
      errors={read.ok || draft.text.trim() === '' ? [] : read.errors}
      completions={completions}
      label="Formula"
      description="Type to see functions and columns."
      placeholder="([Price] - [Cost]) * [Quantity]"
      maxLength={FORMULA_MAX_CHARS}
    />
  )
}
