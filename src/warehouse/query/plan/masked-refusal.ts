import { ProductError } from '../../../shared/errors'
import type { Column } from '../../../shared/data-sources/data-sources'

/**
 * A plan was right when it was made, and is refused to somebody for whom a mask left other values: which column that is,
 * in place of what its type does not fit. Null for every other error.
 */
export function maskedRefusal(error: unknown, used: readonly Column[]): ProductError | null {
  const masked = used.find(({ mask }) => mask !== undefined)
  if (!masked || !(error instanceof ProductError) || error.code !== 'invalid_input') return null
  const message = `${masked.label} is masked for you. Ask an admin.`
  const fields = Object.keys(error.details['fields'] ?? {}).map((path) => [path, message])
  return new ProductError('invalid_input', { fields: Object.fromEntries(fields) }, message)
}
