import { ProductError } from '../shared/errors'

/**
 * The outcome of a write, in which a second row of the same name breaks the unique index that begins with `unique`
 * (`table.column`).
 * @throws ProductError `name_taken`
 */
export async function rethrowNameTaken<T>(unique: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${unique}`))
      throw new ProductError('name_taken', {}, undefined, { cause: error })
    throw error
  }
}
