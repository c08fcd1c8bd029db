import { useMemo } from 'react'
import { parseRowFormula } from '../../../../src/shared/formula/formula'
import type { FormulaNames } from '../../../../src/shared/formula/names'
import { FORMULA_MAX_CHARS, type FormulaError } from '../../../../src/shared/formula/parse'
import { printRowFormula } from '../../../../src/shared/formula/print'
import { typeOfExpression, type ValueType } from '../../../../src/shared/query/expression-types'
import type { Expr } from '../../../../src/shared/query/expression'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../../src/shared/data-sources/files'
import { formulaCompletions } from '../../../ui/formula/formula-completions'
import { FormulaInput } from '../../../ui/formula/formula-input'

type FormulaTable = Pick<Dataset, 'id' | 'name' | 'columns'>

/** The names that a formula over the rows of one table may hold. */
const namesOf = ({ id, name }: FormulaTable, columns: readonly Column[]): FormulaNames => ({
  dataset: { id, name, columns },
  related: [],
  metrics: [],
})

/** A stored formula as text; null when it names a column that is gone. */
export const storedFormulaText = (expr: Expr, dataset: FormulaTable): string | null =>
  printRowFormula(expr, namesOf(dataset, dataset.columns))

/** What comes out of a formula for each row. */
export const formulaValueType = (expr: Expr, { columns }: Pick<Dataset, 'columns'>): ValueType =>
  typeOfExpression(expr, ({ column }) => columns.find(({ key }) => key === column)?.type)

interface CalculatedFormula {
  expr: Expr | null
  errors: readonly FormulaError[]
  names: FormulaNames
}
/** A formula as far as it is typed, over every column but the one that is being written. */
export function useCalculatedFormula(text: string, dataset: FormulaTable, self: ColumnKey | null): CalculatedFormula {
  const names = useMemo(
    () =>
      namesOf(
        dataset,
        dataset.columns.filter(({ key }) => key !== self),
      ),
    [dataset, self],
  )
  return useMemo(() => {
    const read = parseRowFormula(text, names)
    if (read.ok) return { expr: read.expr, errors: [], names }
    return { expr: null, errors: text.trim() === '' ? [] : read.errors, names }
  }, [text, names])
}

interface FormulaTextProps {
  text: string
  formula: CalculatedFormula
  onChange: (text: string) => void
}

/** A formula in the language of metrics, worked out for each row. */
export function FormulaText({ text, formula: { names, errors }, onChange }: FormulaTextProps) {
  const completions = useMemo(() => {
    const { dataset } = names
    const columns = dataset.columns.filter((column) => !('hidden' in column && column.hidden))
    return formulaCompletions('rows', { ...names, dataset: { ...dataset, columns } })
  }, [names])
  return (
    <FormulaInput
      of="rows"
      value={text}
      onChange={onChange}
      errors={errors}
      completions={completions}
      label="Formula"
      description="Type to see functions and columns."
      placeholder="([Price] - [Cost]) * [Quantity]"
      maxLength={FORMULA_MAX_CHARS}
    />
  )
}
