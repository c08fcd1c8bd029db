import type { InspectFile } from './contract'
import { ProductError } from '../shared/errors'

export const inspectCsv: InspectFile = () => {
  throw new ProductError('file_unreadable', { reason: 'unsupported' })
}
