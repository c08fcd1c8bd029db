import { planCleaning, type CleanedColumn } from './plan-cleaning'
import { createStepRunner, type RowTaker, type StepRunner } from './step-runners'
import { unreadableError } from '../file-errors'
import { utf8Length } from '../csv/csv-errors'
import type { CleaningStep, StepEffect } from '../../shared/data-sources/cleaning'
import { describeStep } from '../../shared/data-sources/cleaning'
import { CLEANING_MEMORY_MAX_BYTES } from '../../shared/limits'
import type { ProductError } from '../../shared/errors'

/** What a recipe knows between two stretches of a file: enough to go on as if there had been none. */
export interface CleaningState {
  effects: StepEffect[]
  /** Beside each step, the values that it fills down; none for other steps. */
  filled: string[][]
}

export interface RowCleaner {
  /** The columns of the rows that come out. */
  columns: readonly CleanedColumn[]
  /** Cells that it looks at for each cell of the file. */
  growth: number
  /** Takes a record of the file, which is changed; none, one or several rows of it are given on at once. */
  push(cells: string[]): void
  /** @throws ProductError `file_unreadable` when more would have to be remembered than may be. */
  state(): CleaningState
}

/**
 * Applies a recipe row by row, in memory that does not grow with the file. A record shorter than the file is wide counts as
 * filled with empty cells; what it holds beyond is left out.
 * @throws ProductError `file_unreadable` for a step that does not fit the columns.
 */
export function createRowCleaner(
  recipe: { header: readonly string[]; steps: readonly CleaningStep[]; from?: CleaningState | undefined },
  onRow: RowTaker,
): RowCleaner {
  const { header, steps, from } = recipe
  const plan = planCleaning(header, steps)
  if (plan.problem) throw stepError(steps, plan.problem.step, plan.problem.message)
  const runners: StepRunner[] = []
  let next: RowTaker = onRow
  for (const [at, planned] of [...plan.steps.entries()].toReversed()) {
    const before = { effect: from?.effects[at], filled: from?.filled[at] }
    const runner = createStepRunner(planned, next, before)
    runners.unshift(runner)
    next = runner.take
  }
  const first = next
  return {
    columns: plan.columns,
    growth: plan.growth,
    push(cells) {
      while (cells.length < header.length) cells.push('')
      cells.length = header.length
      first(cells)
    },
    state() {
      const filled = runners.map((runner) => [...runner.filled])
      const bytes = filled.flat().reduce((sum, text) => sum + utf8Length(text), 0)
      if (bytes > CLEANING_MEMORY_MAX_BYTES) {
        const at = filled.findIndex((texts) => texts.length > 0)
        throw stepError(steps, at, 'The values to fill down are too long. Choose fewer columns.')
      }
      return { effects: runners.map(({ effect }) => ({ ...effect })), filled }
    },
  }
}

const stepError = (steps: readonly CleaningStep[], at: number, message: string): ProductError => {
  const step = steps[at]
  return unreadableError('broken', `Cleaning step ${at + 1} (${step ? describeStep(step) : ''}): ${message}`)
}
