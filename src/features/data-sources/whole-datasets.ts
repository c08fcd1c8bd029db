import { isPartial } from '../../identity/access/visible-dataset'
import type { Scope } from '../../identity/scope'
import { ProductError } from '../../shared/errors'

/** @throws ProductError `forbidden` where rules of access leave out a part of it */
export function assertWhole(scope: Scope, dataset: { id: string }): void {
  if (isPartial(scope.wire(), dataset)) throw seenInPart()
}

export const seenInPart = (): ProductError =>
  new ProductError('forbidden', { reason: 'dataAccess' }, 'You see only part of this data. Ask an admin.')
