import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import type { MeasureDraft } from './draft'
import classes from '../insights.module.css'
import { parseFormula } from '../../../../src/shared/formula/formula'
import { FORMULA_MAX_CHARS } from '../../../../src/shared/formula/parse'
import { builderFormulaNames } from '../../../lib/query-builder/formula-names'
import type { BuilderDataset } from '../../../lib/query-builder/catalogue'
import { formulaCompletions } from '../../../ui/formula/formula-completions'
import { FormulaInput } from '../../../ui/formula/formula-input'

interface ExpressionEditorProps {
  measure: MeasureDraft & { kind: 'expression' }
  dataset: BuilderDataset
  onChange: (measure: MeasureDraft) => void
}

/** Custom formula, in the language of metrics: `sum([Quantity] * [Unit price])`. */
export function ExpressionEditor({ measure, dataset, onChange }: ExpressionEditorProps) {
  const names = useMemo(() => builderFormulaNames(dataset), [dataset])
  const completions = useMemo(() => formulaCompletions('figures', names), [names])
  const { formula } = measure
  const read = useMemo(() => parseFormula(formula, names), [formula, names])
  return (
    <Stack gap="xs" className={classes.nested}>
      <FormulaInput
        of="figures"
        value={formula}
        onChange={(next) => onChange({ ...measure, formula: next })}
        errors={read.ok || formula.trim() === '' ? [] : read.errors}
        completions={completions}
        label="Formula"
        description="Type to see functions, columns and metrics."
        placeholder="sum([Quantity] * [Price])"
        maxLength={FORMULA_MAX_CHARS}
      />
    </Stack>
  )
}
