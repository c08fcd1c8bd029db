import type { LoadColumns } from './columns'
import { planCleaning } from '../../../formats/cleaning/plan-cleaning'
import type { LoadRequest } from '../../../sync/load-request'
import { describeStep, type CleaningStep } from '../../../shared/data-sources/cleaning'
import type { LoadCleaning } from '../../../shared/data-sources/data-sources'
import type { FileColumn } from '../../../shared/data-sources/files'
import { ProductError } from '../../../shared/errors'

const invalidInput = (field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } })

/**
 * What a load request holds of a recipe: itself, and as many columns as leave its last step.
 * @throws ProductError `invalid_input` for a step that does not fit the columns of the file, named by its number and words
 */
export function cleaningForLoad(
  given: LoadCleaning | undefined,
  columns: readonly FileColumn[],
): Pick<LoadRequest, 'cleaning'> & Partial<Pick<LoadColumns, 'fileWidth'>> {
  if (!given || given.steps.length === 0) return {}
  const plan = planCleaning(given.header, given.steps)
  if (plan.problem) {
    const { step: at, message } = plan.problem
    const step = given.steps[at]
    const words = step ? ` (${describeStep(step)})` : ''
    throw invalidInput(`cleaning.steps.${at}`, `Step ${at + 1}${words}: ${message} Change or remove this step.`)
  }
  const fileWidth = plan.columns.length
  const beyond = columns.findIndex(({ index }) => index >= fileWidth)
  if (beyond >= 0) throw invalidInput(`columns.${beyond}.index`, 'The cleaning steps leave no such column.')
  return { cleaning: given, fileWidth }
}

/** @throws ProductError `invalid_input` where a table's recipe would be passed over because nothing was said of it */
export function assertCleaningGiven(given: LoadCleaning | undefined, recipe: readonly CleaningStep[]): void {
  if (given === undefined && recipe.length > 0)
    throw invalidInput('cleaning', 'This table has cleaning steps. Send them with the import.')
}

/** Whether a load changes a table's recipe. */
export const changesCleaning = (given: LoadCleaning | undefined, recipe: readonly CleaningStep[]): boolean =>
  JSON.stringify(given?.steps ?? []) !== JSON.stringify(recipe)
