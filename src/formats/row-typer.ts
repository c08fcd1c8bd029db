import type { CreateRowTyper } from './contract'
import { ProductError } from '../shared/errors'

export const createRowTyper: CreateRowTyper = () => {
  throw new ProductError('file_unreadable', { reason: 'unsupported' })
}
