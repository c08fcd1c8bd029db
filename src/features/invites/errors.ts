import { ProductError } from '../../shared/errors'

export const inviteBusy = (): ProductError => new ProductError('busy', { retryAfter: 1 })

/** A refusal as a value; anything else goes on. */
export const toProductError = (error: unknown): ProductError => {
  if (error instanceof ProductError) return error
  throw error
}
